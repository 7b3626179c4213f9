// The report of `podium auto`, made by the program itself on synthetic data.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, fixed, type Json, overflow, signedText, test as base } from "./report";

const folder = mkdtempSync(join(tmpdir(), "podium-auto-"));
let summary: Json;

const podium = (...words: string[]): string => execFileSync(process.env["PODIUM"]!, words, { encoding: "utf8" });

base.beforeAll(() => {
  const data = join(folder, "train.txt");
  podium("synth", "--quiet", "--queries", "40", "--docs", "8", "--features", "6", "-o", data);
  podium("auto", "--quiet", "--data", data, "--learners", "linear,mart,adarank", "--folds", "3", "--trials", "7", "-o", join(folder, "run"),
    "--model", join(folder, "m.json"), "--report", join(folder, "report.html"));
  summary = JSON.parse(readFileSync(join(folder, "run", "summary.json"), "utf8"));
});
base.afterAll(() => rmSync(folder, { recursive: true }));

const test = base.extend<{ open: () => Promise<void> }>({
  open: async ({ page, complaints }, use) => {
    void complaints;
    await use(async () => {
      await page.goto(pathToFileURL(join(folder, "report.html")).href);
      await page.waitForSelector("#leader-table");
    });
  },
});

test("the estimate, its interval and its opponents are those of the summary", async ({ page, open }) => {
  await open();
  const { estimate } = summary;
  await expect(page.locator("#finding-value")).toHaveText(fixed(estimate.value));
  await expect(page.locator("#finding")).toContainText(`${fixed(estimate.low)} to ${fixed(estimate.high)}`);
  await expect(page.locator("#estimate-table tbody tr")).toHaveCount(1 + estimate.against.length);
  for (const other of estimate.against) {
    const row = page.locator(`#estimate-table tr[data-system="${other.system}"]`);
    await expect(row).toContainText(fixed(other.value));
    await expect(row).toContainText(signedText(other.difference));
  }
});

test("the blend's weights and what was tried are shown", async ({ page, open }) => {
  await open();
  await expect(page.locator("#blend-table tbody tr")).toHaveCount(summary.chosen.length);
  for (const member of summary.chosen)
    await expect(page.locator(`#blend-table tr[data-learner="${member.learner}"] .amount`)).toHaveText(fixed(member.weight, 3));
  if (summary.chosen.length > 1) await expect(page.locator("#why")).toContainText(fixed(summary.equal_weights));
  await expect(page.locator("#leader-table tbody tr")).toHaveCount(summary.leaderboard.length);
  await page.locator("#search-chart summary").click();
  await expect(page.locator("#search-chart details tbody tr")).toHaveCount(summary.judged.length);
  await expect(page.locator("#reproduction code")).toContainText("--trials 7");
});

for (const width of [360, 768, 1280])
  test(`no horizontal scrolling at ${width} px`, async ({ page, open }) => {
    await page.setViewportSize({ width, height: 800 });
    await open();
    for (const details of await page.locator("details > summary").all()) await details.click();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

test("dark and light", async ({ page, open }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open();
  const text = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--text").trim());
  expect(await text()).toBe("#eceef1");
  await page.locator("#theme").click();
  expect(await text()).toBe("#1b1d21");
  await expect(page.locator("#theme")).toHaveText("Dark");
});
