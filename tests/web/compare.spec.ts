// The report of a real comparison from `podium compare`: its values are those of the table that the same
// command prints, and the costs include every cell.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { cell, expect, fixed, type Json, test } from "./report";

const FOLDS = 3;
const SEEDS = 2;
const SYSTEMS = ["linear", "mart(trees=20)", "by-pairs", "feature"];
const MEASURES = ["nDCG@5", "AP"];

const podium = (...words: (string | number)[]): string =>
  execFileSync(process.env["PODIUM"]!, [...words.map(String), "--quiet"], { encoding: "utf8" });

let folder = "";
let report = "";
let table = "";
let results: Json;
let resources: Json;

test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "podium-web-compare-"));
  report = join(folder, "report.html");
  const data = join(folder, "sample.txt");
  podium("synth", "-o", data, "--queries", 60, "--docs", 12, "--features", 8);
  const out = join(folder, "out");
  table = podium(
    "compare", "--data", data, "--learners", "linear,mart(trees=20),by-pairs=ranksvm,feature", "--folds", FOLDS, "--seeds", SEEDS,
    "--measures", MEASURES.join(","), "--permutations", 1000, "-o", out, "--report", report,
  );
  const read = (name: string): Json => JSON.parse(readFileSync(join(out, name), "utf8"));
  results = read("results.json");
  resources = read("resources.json");
});
test.afterAll(() => rmSync(folder, { recursive: true }));

test.beforeEach(async ({ page, complaints }) => {
  void complaints;
  await page.goto(pathToFileURL(report).href);
});

// The values and marks of the printed table, by system.
function printed(): Map<string, { figure: string; mark: string }[]> {
  const rows = new Map<string, { figure: string; mark: string }[]>();
  for (const line of table.split("\n\n")[1]!.split("\n").slice(1)) {
    const system = SYSTEMS.find((name) => line.startsWith(`${name} `));
    if (!system) continue;
    const figures = [...line.slice(system.length).matchAll(/(\d\.\d{4}) ?([●○]?)/g)];
    rows.set(system, figures.map(([, figure, mark]) => ({ figure: figure!, mark: mark! })));
  }
  return rows;
}

test("the matrix is the table that the command printed", async ({ page }) => {
  const rows = printed();
  expect([...rows.keys()]).toEqual(SYSTEMS);
  await expect(page.locator("#matrix-table tbody tr")).toHaveCount(SYSTEMS.length);
  for (const [system, figures] of rows) {
    expect(figures).toHaveLength(MEASURES.length);
    for (const [i, { figure, mark }] of figures.entries()) {
      const found = cell(page, system, MEASURES[i]!);
      expect((await found.innerText()).startsWith(figure)).toBe(true);
      expect((await found.locator(".mark").textContent())!.trim()).toBe(mark);
    }
  }
  const decided = /\((randomisation test), (max-t over all pairs), (α = 0\.05)\)/.exec(table)!;
  for (const words of decided.slice(1)) await expect(page.locator("#matrix .note")).toContainText(words);
});

test("the head names the data, the design and the best system", async ({ page }) => {
  await expect(page.locator("h1")).toHaveText("sample");
  for (const fact of ["Systems4", "Queries60", "Documents720", "Features8", "Design3-fold cross-validation"])
    await expect(page.locator(".head .facts > div", { hasText: new RegExp(`^${fact}$`) })).toHaveCount(1);
  const [best] = [...results.systems].sort((a: Json, b: Json) => b.test["nDCG@5"] - a.test["nDCG@5"]);
  await expect(page.locator("#finding")).toContainText(`${best.name} has the highest nDCG@5, ${fixed(best.test["nDCG@5"])}.`);
  await expect(page.locator("#progress")).toHaveCount(0);
  await expect(page.locator("#failures")).toBeHidden();
});

test("the cost of a system is that of all its cells and seeds", async ({ page }) => {
  const used = Object.entries<Json>(resources.cells);
  expect(used).toHaveLength(SYSTEMS.length * FOLDS * SEEDS);
  for (const system of SYSTEMS) {
    const own = used.filter(([key]) => key.startsWith(`${system}.Fold`)).map(([, cost]) => cost);
    expect(own).toHaveLength(FOLDS * SEEDS);
    const bars = page.locator(`#cost-table tr[data-system="${system}"] td.bar-cell`);
    const [seconds, memory] = [bars.nth(0), bars.nth(1)];
    expect(Number(await seconds.getAttribute("data-value"))).toBeCloseTo(own.reduce((sum, { seconds }) => sum + seconds, 0), 9);
    expect(Number(await memory.getAttribute("data-value"))).toBe(Math.max(...own.map(({ peak_bytes }) => peak_bytes)));
    expect(await seconds.innerText()).toMatch(/^[\d.]*[1-9][\d.]* (ms|s)$/);
    expect(await memory.innerText()).toMatch(/^[\d.]*[1-9][\d.]* (MB|GB)$/);
  }
  await expect(page.locator("#cost .note")).toContainText(resources.started.replace("T", " ").replace("Z", " UTC"));
});
