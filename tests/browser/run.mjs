// Opens HTML reports in headless Chromium and looks at them as a reader would.
//
//   node tests/browser/run.mjs FLEETLENS [--screenshots FOLDER]
//
// For some stories and for hostile bundles: no error on the console, no request leaves, nothing of the input becomes
// markup, filter and fold work, no serious fault of accessibility. SARIF is given to the reference validator. Without a browser it says so and
// ends with 0.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

const analyze = (input, name, format) => {
  const file = join(work, `${name}.${format}`);
  const run = spawnSync(program, ["analyze", "--format", `${format}=${file}`, input], { encoding: "utf8" });
  if (run.status === null || run.status > 1) throw new Error(`${name}: exit ${run.status}\n${run.stderr}`);
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

const bundles = ["run-preempted", "run-stuck-two-reasons", "run-approval-stale-before", "run-cluster-in-two-stages", "place-agent-dead-rollout", "place-healthy-pdb-envelope", "place-rollout-held", "place-policy-denied", "run-stuck-image-pull", "place-member-left"]
  .map((story) => [story, join(root, "testdata/bundles", story, "capture")]);
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
  if (options.plain) await page.setJavaScriptEnabled(false);
  await page.goto(`file://${file}`, { timeout: 120_000 });
  return page;
};

for (const [name, input] of [...bundles, ...attacks]) {
  const file = analyze(input, name, "html");
  const page = await open(file);
  expect((await page.title()) !== "owned", `${name}: the input ran a script`);
  expect((await page.$$eval("script", (all) => all.length)) === 1, `${name}: more than one script`);
  expect((await page.$$eval("img,iframe,object,embed,link[rel=stylesheet],a[href^=javascript]", (all) => all.length)) === 0, `${name}: something of the input became markup`);
  expect(!/[\u202a-\u202e\u2066-\u2069\u0000-\u0008]/.test(await page.$eval("body", (body) => body.textContent)), `${name}: marks of direction or control in the page`);
  if (await page.$("#all")) {
    const rows = await page.$$eval("#all .row", (all) => all.length);
    await page.$eval("#all > summary", (summary) => summary.click());
    expect(await page.$eval("#all", (all) => all.open), `${name}: the list does not unfold`);
    const began = Date.now();
    const shown = await page.evaluate(() => {
      const words = document.getElementById("words");
      words.value = "no finding has these words";
      words.dispatchEvent(new Event("input"));
      const none = [...document.querySelectorAll("#all .row")].filter((row) => !row.hidden).length;
      words.value = "";
      words.dispatchEvent(new Event("input"));
      return [none, [...document.querySelectorAll("#all .row")].filter((row) => !row.hidden).length];
    });
    expect(shown[0] === 0 && shown[1] === rows, `${name}: the filter shows ${shown} of ${rows}`);
    expect(Date.now() - began < 5_000, `${name}: the filter takes ${Date.now() - began} ms`);
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
  await plain.close();
}

if (screenshots) {
  mkdirSync(screenshots, { recursive: true });
  // The picture of the README.
  const cover = await open(join(work, "run-preempted.html"), { width: 900 });
  await cover.screenshot({ path: join(screenshots, "report.png"), clip: { x: 0, y: 0, width: 900, height: 960 } });
  await cover.close();
  for (const [name] of bundles) {
    const file = join(work, `${name}.html`);
    for (const [suffix, look] of [["", {}], ["-narrow", { width: 390 }], ["-dark", { dark: true }]]) {
      const page = await open(file, look);
      await page.screenshot({ path: join(screenshots, `${name}${suffix}.png`), fullPage: true });
      if (suffix === "") await page.pdf({ path: join(screenshots, `${name}.pdf`), format: "A4" });
      await page.close();
    }
  }
}
await browser.close();

const tool = join(new URL(".", import.meta.url).pathname, "node_modules/.bin/sarif-multitool");
if (existsSync(tool)) {
  for (const [name, input] of bundles) {
    const file = analyze(input, name, "sarif");
    const told = execFileSync(tool, ["validate", file], { encoding: "utf8", env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: "1" } });
    expect(!/: error /.test(told), `${name}: SARIF: ${told}`);
  }
}
rmSync(work, { recursive: true });
for (const fault of faults) console.log(`FAULT ${fault}`);
console.log(`${bundles.length + attacks.length} pages, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
