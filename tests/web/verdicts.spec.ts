// The page's conclusions from standings and p-values, and the test that it names as deciding.
import { cell, expect, fixture, type Json, test } from "./report";

const MEASURE = "nDCG@10";

// Three systems, feature, linear and ranksvm, with these standings; statistics changes what else was tested.
function judged(standings: Json, statistics: Json = {}): Json {
  const results = fixture({ systems: 3, failed: false, queries: 50 });
  Object.assign(results.statistics, statistics);
  results.statistics.measures[MEASURE].standings = standings;
  return results;
}

function pairOf(results: Json, a: string, b: string): Json {
  return results.statistics.measures[MEASURE].pairs.find((pair: Json) => pair.a === a && pair.b === b);
}

test("all others are worse only when every one is", async ({ page, show }) => {
  const finding = page.locator("#finding");
  await show(judged({ feature: "worse", linear: "worse", ranksvm: "best" }));
  await expect(finding).toContainText("ranksvm has the highest nDCG@10");
  await expect(finding).toContainText("All others are significantly worse.");

  await show(judged({ feature: "worse", linear: "unknown", ranksvm: "best" }));
  await expect(finding).not.toContainText("All others");
  await expect(finding).toContainText("linear was not tested.");

  await show(judged({ feature: "worse", linear: "not-worse", ranksvm: "best" }));
  await expect(finding).not.toContainText("All others");
  await expect(finding).toContainText("linear is not significantly worse.");

  await show(judged({ feature: "unknown", linear: "unknown", ranksvm: "best" }));
  await expect(finding).toHaveText(/^ranksvm has the highest nDCG@10, 0\.\d{4}\.$/);
});

test("systems that tie for the best share it", async ({ page, show }) => {
  await show(judged({ feature: "worse", linear: "best", ranksvm: "best" }));
  await expect(page.locator("#finding")).toContainText("linear and ranksvm share the highest nDCG@10");
  await expect(page.locator("#finding")).toContainText("All others are significantly worse.");
  await show(judged({ feature: "best", linear: "best", ranksvm: "best" }));
  await expect(page.locator("#finding")).not.toContainText("All others");
});

test("a system that failed in one part is marked, and is not the best", async ({ page, show }) => {
  const results = judged({ feature: "worse", linear: "best", ranksvm: "unknown" });
  const partial = results.systems[2];
  partial.test[MEASURE] = 0.99;
  Object.assign(partial.cells[1], { status: "failed", message: "the loss is not finite", test: {} });
  await show(results);
  await expect(page.locator("#finding")).toContainText("linear has the highest nDCG@10");
  await expect(page.locator("#finding")).toContainText("ranksvm was not tested.");
  await expect(page.locator("#matrix-table tbody tr", { hasText: "failed in part" }).locator(".name")).toHaveText("ranksvm");
  expect((await cell(page, "ranksvm", MEASURE).locator(".mark").textContent())!.trim()).toBe("");
  // Also without marks, while the comparison is running.
  results.complete = false;
  results.statistics.measures[MEASURE].standings = {};
  await show(results);
  await expect(page.locator("#finding")).not.toContainText("ranksvm");
  // If all failed in some part there is no best.
  results.complete = true;
  for (const system of results.systems) Object.assign(system.cells[0], { status: "failed", message: "not enough memory", test: {} });
  await show(results);
  await expect(page.locator("#finding")).toHaveText("No system finished every part.");
});

test("designs in words", async ({ page, show }) => {
  const results = judged({});
  for (const [design, words] of [
    [{ kind: "folds" }, "5 folds"],
    [{ kind: "split" }, "5-fold cross-validation"],
    [{ kind: "trials", train_queries: 10, valid_queries: 5 }, "5 random trials of 10 training queries and 5 for validation"],
  ] as const) {
    Object.assign(results.design, design);
    await show(results);
    await expect(page.locator(".head .facts > div", { hasText: "Design" }).locator("dd")).toHaveText(words);
  }
});

test("a p-value of alpha is significant, one above it is not", async ({ page, show }) => {
  const results = judged({ feature: "worse", linear: "best", ranksvm: "not-worse" });
  for (const [other, p] of [["linear", 0.05], ["ranksvm", 0.0501]] as const) {
    const pair = pairOf(results, "feature", other);
    pair.mean = -0.1;
    pair.adjusted["max-t"] = p;
  }
  await show(results);
  await expect(page.locator('#against-table tr[data-system="linear"] .verdict')).toHaveText("▲ better");
  await expect(page.locator('#against-table tr[data-system="ranksvm"] .verdict')).toHaveText("no difference shown");
});

test("without a corrected p-value nothing is decided", async ({ page, show }) => {
  const results = judged({ feature: "unknown", linear: "best", ranksvm: "worse" });
  pairOf(results, "feature", "linear").adjusted["max-t"] = null;
  await show(results);
  const row = page.locator('#against-table tr[data-system="linear"]');
  await expect(row.locator(".verdict")).toHaveText("not tested");
  await expect(row.locator("td").nth(2)).toHaveText("–");
});

test("the legend and the column name the test that decides", async ({ page, show }) => {
  const legend = page.locator("#matrix .note");
  const column = page.locator("#against-table thead th").nth(3);
  for (const [statistics, words, head, decided] of [
    [{ test: "t", correction: "max-t" }, "randomisation test, 10,000 permutations, max-t over all pairs, α = 0.05", "p, max-t", 0.011],
    [{ test: "t", correction: "holm" }, "t test, holm over all pairs, α = 0.05", "p, holm", 0.012],
    [{ test: "wilcoxon", correction: "none", alpha: 0.01 }, "wilcoxon test, not corrected, α = 0.01", "p, wilcoxon", 0.013],
  ] as const) {
    const results = judged({ feature: "worse", linear: "best", ranksvm: "worse" }, statistics);
    Object.assign(pairOf(results, "feature", "linear"), { p: { wilcoxon: 0.013, t: 0.014 }, adjusted: { "max-t": 0.011, holm: 0.012 } });
    await show(results);
    await expect(legend).toContainText(`Marks: ${words}.`);
    await expect(column).toHaveText(head);
    const p = page.locator('#against-table tr[data-system="linear"] td').nth(2);
    expect(Number(await p.getAttribute("data-value"))).toBe(decided);
  }
});
