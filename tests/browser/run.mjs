// Opens HTML reports in headless Chromium and looks at them as a reader would.
//
//   node tests/browser/run.mjs FLEETLENS [--screenshots FOLDER]
//
// For some stories and for hostile bundles: no error on the console, no request leaves, nothing of the input becomes
// markup, filters, folds and the timeline work, by keyboard too, two pages are enough to print, ten thousand findings
// stay usable, no serious fault of accessibility. SARIF is given to the reference validator. Without a browser it says
// so and ends with 0.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createRequire } from "node:module";

const [program, ...options] = process.argv.slice(2);
const screenshots = options[0] === "--screenshots" ? resolve(options[1]) : null;
const root = resolve(new URL(".", import.meta.url).pathname, "../..");
const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (!browserPath) {
  console.log("skipped: no Chromium on this machine");
  process.exit(0);
}
const { default: puppeteer } = await import("puppeteer-core");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const work = mkdtempSync(join(tmpdir(), "fleetlens-browser-"));
const faults = [];
const expect = (holds, words) => { if (!holds) faults.push(words); };

const analyze = (input, name, format, command = "analyze") => {
  const file = join(work, `${name}.${format}`);
  const run = spawnSync(program, [command, "--format", `${format}=${file}`, input], { encoding: "utf8" });
  // 2: not all of it could be read, and the report says so.
  if (run.status === null || run.status > 2 || !existsSync(file)) throw new Error(`${name}: exit ${run.status}\n${run.stderr}`);
  return file;
};

// Bundles that try to become markup, script, or too much.
const hostile = (name, words, count) => {
  const folder = join(work, `in-${name}`);
  mkdirSync(folder, { recursive: true });
  const quoted = JSON.stringify(words);
  const runs = Array.from({ length: count }, (_, index) => `apiVersion: placement.kubernetes-fleet.io/v1beta1
kind: ClusterStagedUpdateRun
metadata: {name: run-${index}, creationTimestamp: "2026-11-16T12:00:00Z", generation: 1}
spec: {placementName: ${quoted}, stagedRolloutStrategyName: ${quoted}, state: Run}
status:
  conditions:
  - {type: Initialized, status: "False", reason: UpdateRunInitializedFailed, observedGeneration: 1, lastTransitionTime: "2026-11-16T12:01:00Z", message: ${JSON.stringify(`cannot continue the updateRun: failed to validate the updateRun: ${words}`)}}
`);
  writeFileSync(join(folder, "runs.yaml"), runs.join("---\n"));
  return folder;
};

// A hub on which much is wrong at once.
const busy = join(work, "in-busy");
for (const story of ["run-preempted", "run-stuck-two-reasons", "place-agent-dead-rollout", "run-cluster-in-two-stages", "run-approval-stale-before", "place-policy-denied"]) {
  cpSync(join(root, "testdata/bundles", story, "capture"), join(busy, story), { recursive: true });
}
const faulty = join(work, "strategy.yaml");
writeFileSync(faulty, `apiVersion: placement.kubernetes-fleet.io/v1
kind: ClusterStagedUpdateStrategy
metadata: {name: web-rings}
spec:
  stages:
  - name: canary
    maxConcurency: 2
    afterStageTasks: [{type: Approval}, {type: Approval}]
  - name: canary
`);
const bundles = ["run-preempted", "run-stuck-two-reasons", "run-approval-stale-before", "run-cluster-in-two-stages", "place-affinity-pickn-none", "place-agent-dead-rollout", "place-healthy-pdb-envelope", "place-rollout-held", "place-policy-denied", "run-stuck-image-pull", "place-member-left"]
  .map((story) => [story, join(root, "testdata/bundles", story, "capture")])
  .concat(["approval-status-and-generation-quoted", "log-kusto-csv-stuck"].map((paste) => [paste, join(root, "testdata/pastes", paste, "capture")]))
  .concat([["busy", busy], ["check", faulty, "check"]]);
// What is drawn of which story, by something that only this drawing has.
const drawings = { "run-preempted": "rect.lost", "run-stuck-two-reasons": "rect.edge-ok", "run-approval-stale-before": "text.sign", "run-cluster-in-two-stages": "text.code", busy: "rect.edge-bad" };
const attacks = [
  ["script", hostile("script", "<script>document.title='owned'</script>", 1)],
  ["handler", hostile("handler", "<img src=x onerror=\"document.title='owned'\">", 1)],
  ["scheme", hostile("scheme", "javascript:document.title='owned'", 1)],
  ["marks", hostile("marks", "\u202egnp.exe\u202c \u0000\u001b[31m", 1)],
  ["long", hostile("long", "x".repeat(1_000_000), 1)],
  ["many", hostile("many", "cluster `a` appears in more than one stages", 10_000)],
];

const browser = await puppeteer.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
const open = async (file, options = {}) => {
  const page = await browser.newPage();
  page.on("console", (message) => { if (message.type() === "error") faults.push(`${file}: console: ${message.text()}`); });
  page.on("pageerror", (error) => faults.push(`${file}: ${error.message}`));
  page.on("request", (request) => { if (!request.url().startsWith("file:")) faults.push(`${file}: request to ${request.url()}`); });
  await page.setViewport({ width: options.width ?? 1060, height: 1200 });
  if (options.dark) await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  if (options.print) await page.emulateMediaType("print");
  if (options.plain) await page.setJavaScriptEnabled(false);
  await page.goto(`file://${file}`, { timeout: 120_000 });
  return page;
};

// Types into a filter and counts the rows that are left.
const left = (page, id, value) => page.evaluate((id, value) => {
  const input = document.getElementById(id);
  const began = performance.now();
  input.value = value;
  input.dispatchEvent(new Event("input"));
  const shown = [...document.querySelectorAll("#all .row")].filter((row) => !row.hidden).length;
  return [shown, performance.now() - began];
}, id, value);
// Counts the pages of a PDF, as the root of its tree of pages does.
const pages = (pdf) => Math.max(...[...Buffer.from(pdf).toString("latin1").matchAll(/\/Count (\d+)/g)].map((found) => Number(found[1])));

for (const [name, input, command] of [...bundles, ...attacks]) {
  const file = analyze(input, name, "html", command);
  const began = Date.now();
  const page = await open(file);
  const opened = Date.now() - began;
  const policy = await page.$eval("meta[http-equiv=Content-Security-Policy]", (meta) => meta.content);
  expect(/^default-src 'none'; style-src 'sha256-/.test(policy) && !policy.includes("unsafe"), `${name}: policy ${policy}`);
  expect((await page.title()) !== "owned", `${name}: the input ran a script`);
  expect((await page.$$eval("script", (all) => all.length)) === 1, `${name}: more than one script`);
  expect((await page.$$eval("img,iframe,object,embed,link[rel=stylesheet],a[href^=javascript]", (all) => all.length)) === 0, `${name}: something of the input became markup`);
  expect(!/[\u202a-\u202e\u2066-\u2069\u0000-\u0008]/.test(await page.$eval("body", (body) => body.textContent)), `${name}: marks of direction or control in the page`);
  if (await page.$("#all")) {
    const rows = await page.$$eval("#all .row", (all) => all.length);
    await page.$eval("#all > summary", (summary) => summary.click());
    expect(await page.$eval("#all", (all) => all.open), `${name}: the list does not unfold`);
    const slowest = [];
    for (const id of ["words", "object"]) {
      const [none, time] = await left(page, id, "no finding has these words");
      const [all, again] = await left(page, id, "");
      expect(none === 0 && all === rows, `${name}: the filter ${id} shows ${none} and ${all} of ${rows}`);
      slowest.push(time, again);
    }
    for (const id of ["severity", "code"]) {
      let sum = 0;
      for (const value of await page.$$eval(`#${id} option`, (all) => all.map((option) => option.value).filter(Boolean))) {
        sum += (await left(page, id, value))[0];
      }
      expect(sum === rows, `${name}: the filters by ${id} show ${sum} of ${rows}`);
      slowest.push((await left(page, id, ""))[1]);
    }
    expect(Math.max(...slowest) < 2_000, `${name}: a filter takes ${Math.max(...slowest)} ms`);
    if (name === "many") {
      expect(rows >= 10_000, `${name}: only ${rows} findings`);
      console.log(`${rows} findings: ${Math.round(statSync(file).size / 1e6)} MB, open after ${opened} ms, slowest filter ${Math.round(Math.max(...slowest))} ms`);
    }
  }
  if (drawings[name]) expect(await page.$(`section[aria-labelledby=picture] svg ${drawings[name]}`), `${name}: not the drawing of its cause`);
  if (command === undefined && bundles.some(([story]) => story === name)) {
    expect(statSync(file).size <= 300_000, `${name}: ${statSync(file).size} bytes`);
    const words = await page.$$eval("svg", (all) => all.every((svg) => svg.getAttribute("aria-hidden") === "true" && svg.closest("figure, section").querySelector("ol.words li, table")));
    expect(words, `${name}: a drawing without words`);
  }
  if (bundles.some(([story]) => story === name)) {
    const sheets = pages(await page.pdf({ preferCSSPageSize: true }));
    expect(sheets <= 2, `${name}: prints on ${sheets} pages`);
  }
  if (name === "run-preempted") {
    // By keyboard: the first stop is the way past the header, a fold opens, the timeline is stretched.
    await page.evaluate(() => { document.activeElement.blur(); window.scrollTo(0, 0); });
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement.classList.contains("skip")), `${name}: no way past the header`);
    await page.focus("section[aria-labelledby=history] summary");
    await page.keyboard.press("Enter");
    expect(await page.$eval("section[aria-labelledby=history] details", (all) => all.open), `${name}: the timeline does not unfold`);
    const spread = () => page.$$eval("section[aria-labelledby=history] circle", (all) => all.filter((it) => it.style.display !== "none").map((it) => Math.round(it.getAttribute("cx"))).join(" "));
    const whole = await spread();
    await page.focus("section[aria-labelledby=history] [data-zoom-by='2']");
    await page.keyboard.press("Enter");
    const part = await spread();
    expect(whole !== part, `${name}: the timeline cannot be stretched`);
    await page.focus("section[aria-labelledby=history] [data-zoom-by='0.5']");
    await page.keyboard.press("Enter");
    expect(await spread() === whole, `${name}: the timeline does not come back`);
  }
  if (name !== "many" && name !== "long") {
    // The policy of the page forbids foreign scripts, so the checker is evaluated from outside.
    await page.evaluate(axe);
    const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    for (const fault of found.violations.filter((it) => ["serious", "critical"].includes(it.impact))) {
      faults.push(`${name}: ${fault.id}: ${fault.help} (${fault.nodes[0].html.slice(0, 120)})`);
    }
  }
  await page.close();
  const plain = await open(file, { plain: true });
  expect((await plain.$eval("h1", (title) => title.textContent)).length > 0, `${name}: says nothing without its script`);
  expect((await plain.$$eval(".script, .filter", (all) => all.every((it) => it.offsetParent === null))), `${name}: shows what needs a script`);
  await plain.close();
}

if (screenshots) {
  mkdirSync(screenshots, { recursive: true });
  // The picture of the README.
  const cover = await open(join(work, "run-preempted.html"), { width: 900 });
  await cover.screenshot({ path: join(screenshots, "report.png"), clip: { x: 0, y: 0, width: 900, height: 1120 } });
  await cover.close();
  for (const [name] of bundles) {
    const file = join(work, `${name}.html`);
    for (const [suffix, look] of [["", {}], ["-narrow", { width: 390 }], ["-dark", { dark: true }], ["-print", { width: 703, print: true }]]) {
      const page = await open(file, look);
      await page.screenshot({ path: join(screenshots, `${name}${suffix}.png`), fullPage: true });
      if (suffix === "") await page.pdf({ path: join(screenshots, `${name}.pdf`), preferCSSPageSize: true });
      await page.close();
    }
  }
}
await browser.close();

const tool = join(new URL(".", import.meta.url).pathname, "node_modules/.bin/sarif-multitool");
if (existsSync(tool)) {
  for (const [name, input, command] of bundles) {
    const file = analyze(input, name, "sarif", command);
    const told = execFileSync(tool, ["validate", file], { encoding: "utf8", env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: "1" } });
    expect(!/: error /.test(told), `${name}: SARIF: ${told}`);
  }
}
rmSync(work, { recursive: true });
for (const fault of faults) console.log(`FAULT ${fault}`);
console.log(`${bundles.length + attacks.length} pages, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
