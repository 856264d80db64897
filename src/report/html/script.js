document.documentElement.classList.add("scripted");
for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", async () => {
    const text = button.parentElement.querySelector("pre").textContent;
    try { await navigator.clipboard.writeText(text); button.textContent = "copied"; } catch { button.textContent = "select and copy"; }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
}
const find = (id) => document.getElementById(id);
const words = find("words");
if (words) {
  const rows = [...document.querySelectorAll("#all .row")].map((row) => ({ row, text: row.textContent.toLowerCase(), object: row.dataset.object.toLowerCase() }));
  const [severity, code, object, shown] = ["severity", "code", "object", "shown"].map(find);
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const named = object.value.trim().toLowerCase();
    let count = 0;
    for (const { row, text, object: own } of rows) {
      const fits = (!severity.value || row.dataset.severity === severity.value) && (!code.value || row.dataset.code === code.value)
        && own.includes(named) && wanted.every((word) => text.includes(word));
      if (row.hidden === fits) row.hidden = !fits;
      count += fits ? 1 : 0;
    }
    shown.textContent = `${count} of ${rows.length}`;
  };
  for (const input of [words, severity, code, object]) input.addEventListener("input", filter);
  filter();
}
for (const diagram of document.querySelectorAll("svg[data-zoom]")) {
  const [left, right] = diagram.dataset.zoom.split(" ").map(Number);
  const parts = [...diagram.querySelectorAll("[data-at]")].map((part) => ({
    part, at: part.dataset.at / 1e5, to: (part.dataset.to ?? part.dataset.at) / 1e5, room: part.dataset.room === undefined ? null : part.dataset.room / 1e5,
    offset: Number(part.getAttribute("x") ?? part.getAttribute("cx") ?? part.getAttribute("x1")) - (left + part.dataset.at / 1e5 * (right - left)),
  }));
  let [start, length] = [0, 1];
  const place = (share) => left + (share - start) / length * (right - left);
  const draw = () => {
    for (const { part, at, to, room, offset } of parts) {
      const [from, end] = [place(at), place(to)];
      const span = part.dataset.to !== undefined;
      const seen = span ? end >= left && from <= right : (from >= left - 1 && from <= right + 1) || (room !== null && from < left && place(room) > left + 120);
      part.style.display = seen ? "" : "none";
      if (!seen) continue;
      const x = Math.max(from, left);
      if (part.tagName === "line") { part.setAttribute("x1", from + offset); part.setAttribute("x2", from + offset); }
      else if (part.tagName === "circle") part.setAttribute("cx", from + offset);
      else if (span) { part.setAttribute("x", x); part.setAttribute("width", Math.max(Math.min(end, right) - x, 4)); }
      else part.setAttribute("x", x + Math.round(offset));
    }
  };
  const buttons = diagram.parentElement.querySelectorAll("button");
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const { zoomBy, moveBy } = button.dataset;
      const centre = start + length / 2 + (moveBy ? Number(moveBy) * length : 0);
      if (zoomBy) length = Math.min(Math.max(length / Number(zoomBy), 1 / 256), 1);
      start = Math.min(Math.max(centre - length / 2, 0), 1 - length);
      draw();
    });
  }
}
