// The report of `podium clicks report`, made by the program itself on a simulated log.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, fixed, type Json, overflow, signedText, test as base } from "./report";

const folder = mkdtempSync(join(tmpdir(), "podium-clicks-"));
const file = (name: string): string => join(folder, name);
let summary: Json;

const podium = (...words: string[]): string => execFileSync(process.env["PODIUM"]!, words, { encoding: "utf8" });

// Users of list a click, those of list b do not.
function shownLists(): void {
  const [head = "", ...lines] = readFileSync(file("lists.tsv"), "utf8").trim().split("\n");
  const owner = head.split("\t").indexOf("owner");
  writeFileSync(file("shown.tsv"), [`${head}\tclick`, ...lines.map((line) => `${line}\t${line.split("\t")[owner] === "a" ? 1 : 0}`)].join("\n") + "\n");
}

base.beforeAll(() => {
  podium("synth", "--quiet", "--queries", "60", "--docs", "6", "--features", "6", "-o", file("docs.txt"));
  for (const feature of ["1", "2"])
    podium("train", "linear", "--quiet", "--features", feature, "--data", file("docs.txt"), "--model", file(`${feature}.json`));
  podium("clicks", "simulate", "--quiet", "--data", file("docs.txt"), "--ranker", "feature:1", "--sessions", "6000", "-o", file("log.tsv"));
  podium("clicks", "simulate", "--quiet", "--data", file("docs.txt"), "--ranker", "feature:1", "--sessions", "600", "--explore", "0", "-o", file("still.tsv"));
  for (const [name, model] of [["a", "1"], ["b", "2"]])
    podium("score", "--quiet", "--model", file(`${model}.json`), "--data", file("docs.txt"), "--format", "run", "-o", file(`${name}.run`));
  podium("interleave", "make", "--quiet", "--runs", `${file("a.run")},${file("b.run")}`, "--sessions", "2", "-o", file("lists.tsv"));
  shownLists();
  const printed = podium("clicks", "report", "--json", "--quiet", "--clicks", file("log.tsv"), "--models", "pbm,harvest,dbn,ctr-rank", "--data", file("docs.txt"),
    "--rankers", file("1.json"), file("2.json"), "--interleaving", file("shown.tsv"), "-o", file("report.html"));
  summary = JSON.parse(printed);
  podium("clicks", "report", "--quiet", "--clicks", file("still.tsv"), "--models", "pbm,cascade", "-o", file("still.html"));
});
base.afterAll(() => rmSync(folder, { recursive: true }));

const test = base.extend<{ open: (name?: string) => Promise<void> }>({
  open: async ({ page, complaints }, use) => {
    void complaints;
    await use(async (name = "report.html") => {
      await page.goto(pathToFileURL(file(name)).href);
      await page.waitForSelector("#click-through-chart canvas");
    });
  },
});

test("click-through and propensities are those of the summary", async ({ page, open }) => {
  await open();
  await page.locator("#click-through-chart summary").click();
  await expect(page.locator("#click-through-chart details tbody tr")).toHaveCount(summary.positions.length);
  await expect(page.locator("#click-through-chart details tbody tr").first()).toContainText(fixed(summary.positions[0].rate));
  await page.locator("#examination-chart summary").click();
  const [pbm, harvest] = summary.models;
  const row = page.locator("#examination-chart details tbody tr").nth(3);
  await expect(row).toContainText(fixed(pbm.propensities[3]));
  await expect(row).toContainText(`${fixed(harvest.intervals[3][0])} to ${fixed(harvest.intervals[3][1])}`);
  // ctr-rank has no propensities: three curves, not four; the ends of intervals are not in the key.
  await expect(page.locator("#examination-chart .u-legend tr:not(.keyless)")).toHaveCount(1 + 3);
});

test("connections, fits and effective clicks", async ({ page, open }) => {
  await open();
  await expect(page.locator("#connectivity")).toHaveAttribute("data-components", "1");
  await expect(page.locator("#connection-table tbody tr")).toHaveCount(summary.positions.length - 1);
  for (const model of summary.models)
    await expect(page.locator(`#fit-table tr[data-model="${model.model}"]`)).toContainText(fixed(model.fit.perplexity));
  await expect(page.locator("#weight-table tbody tr")).toHaveCount(3);
  const effective = Math.round(summary.models[0].weights.effective);
  await expect(page.locator('#weight-table tr[data-model="pbm"]')).toContainText(effective.toLocaleString("en-US"));
  expect(effective).toBeLessThan(summary.models[0].weights.clicks);
});

test("values of rankers and the verdict", async ({ page, open }) => {
  await open();
  const [first, second] = summary.values.results;
  await expect(page.locator('#value-table tr[data-ranker="1"]')).toContainText(fixed(first.value));
  await expect(page.locator('#value-table tr[data-ranker="2"]')).toContainText(signedText(second.against.difference));
  await expect(page.locator("#verdict")).toContainText(`Ranker a is preferred at level 0.05, decided after ${summary.interleaving.decided_after} sessions`);
});

test("a log that connects nothing says so, and which model it cannot determine", async ({ page, open }) => {
  await open("still.html");
  await expect(page.locator("#connectivity")).toHaveAttribute("data-components", "6");
  await expect(page.locator("#connectivity")).toContainText("{1}, {2}");
  await expect(page.locator('#refused-table tr[data-model="pbm"]')).toContainText("--assume 1/p^1");
  await expect(page.locator("#values")).toHaveCount(0);
});

for (const width of [360, 768, 1280])
  test(`no horizontal scrolling of the click report at ${width} px`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    await open();
    for (const details of await page.locator("details > summary").all()) await details.click();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

test("the click report in dark and light", async ({ page, open }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open();
  const text = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--text").trim());
  expect(await text()).toBe("#eceef1");
  await page.locator("#theme").click();
  expect(await text()).toBe("#1b1d21");
});
