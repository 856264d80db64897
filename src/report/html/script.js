document.documentElement.classList.add("scripted");
for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", async () => {
    const text = button.parentElement.querySelector("pre").textContent;
    try { await navigator.clipboard.writeText(text); button.textContent = "copied"; } catch { button.textContent = "select and copy"; }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
}
const rows = [...document.querySelectorAll("#all .row")];
const words = document.getElementById("words");
const severity = document.getElementById("severity");
const shown = document.getElementById("shown");
const filter = () => {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const row of rows) {
    const text = row.dataset.words;
    const fits = (!severity.value || row.dataset.severity === severity.value) && wanted.every((word) => text.includes(word));
    row.hidden = !fits;
    count += fits ? 1 : 0;
  }
  shown.textContent = `${count} of ${rows.length}`;
};
if (words) {
  words.addEventListener("input", filter);
  severity.addEventListener("change", filter);
  filter();
}
const picture = document.querySelector("svg[data-zoom]");
if (picture) {
  const [x, y, width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
  let factor = 1;
  let centre = x + width / 2;
  const draw = () => {
    const part = width / factor;
    centre = Math.min(Math.max(centre, x + part / 2), x + width - part / 2);
    picture.setAttribute("viewBox", `${centre - part / 2} ${y} ${part} ${height}`);
    picture.setAttribute("preserveAspectRatio", factor === 1 ? "xMidYMid meet" : "none");
  };
  for (const button of document.querySelectorAll("[data-zoom-by]")) {
    button.addEventListener("click", () => { factor = Math.min(Math.max(factor * Number(button.dataset.zoomBy), 1), 64); draw(); });
  }
  for (const button of document.querySelectorAll("[data-move-by]")) {
    button.addEventListener("click", () => { centre += Number(button.dataset.moveBy) * width / factor; draw(); });
  }
}
