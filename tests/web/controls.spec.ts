// Every control works, by pointer and by keyboard.
import { cell, expect, fixed, fixture, test } from "./report";

const results = fixture();
const alive = results.systems.filter((system: any) => !system.failed);
const names = (page: any) => page.locator("#matrix-table tbody th .name").allTextContents();
const byMeasure = (measure: string) =>
  [...alive].sort((a, b) => b.test[measure] - a.test[measure]).map((system) => system.name);

test("sorts by any column, both ways; failed systems stay last", async ({ page, show }) => {
  await show(results);
  expect(await names(page)).toEqual([...byMeasure("nDCG@10"), "softrank"]);
  await page.locator('[id="sort-AP"]').click();
  expect(await names(page)).toEqual([...byMeasure("AP"), "softrank"]);
  await expect(page.locator("#matrix-table th[aria-sort]")).toHaveAttribute("aria-sort", "descending");
  await page.locator('[id="sort-AP"]').press("Enter");
  expect(await names(page)).toEqual([...byMeasure("AP").reverse(), "softrank"]);
  await expect(page.locator('[id="sort-AP"]')).toBeFocused();
  await page.locator("#sort-name").click();
  expect(await names(page)).toEqual(results.systems.map((s: any) => s.name).sort());
});

test("choosing a measure changes everything that shows one", async ({ page, show }) => {
  await show(results);
  await page.locator("#choose-measure").focus();
  await page.selectOption("#choose-measure", "AP");
  await expect(page.locator("#finding")).toContainText("highest AP");
  await expect(page.locator("#against .lead")).toContainText("AP, minus that of");
  await expect(page.locator("#query-chart figcaption")).toContainText("AP of");
  await expect(page.locator("#cost-chart figcaption")).toContainText("AP against time");
  expect(await names(page)).toEqual([...byMeasure("AP"), "softrank"]);
  await expect(page.locator("#choose-measure")).toBeFocused();
});

test("choosing a baseline changes comparisons and queries", async ({ page, show }) => {
  await show(results);
  await page.selectOption("#choose-baseline", "lambdamart");
  await expect(page.locator("#against .lead")).toContainText("lambdamart");
  await expect(page.locator('#against-table tr[data-system="lambdamart"]')).toHaveCount(0);
  await expect(page.locator("#query-table thead")).toContainText("lambdamart");
  await expect(page.locator("#query-system option", { hasText: /^lambdamart$/ })).toHaveCount(0);
});

test("hover and focus show the tests of a value; Escape hides them", async ({ page, show }) => {
  await show(results);
  const found = cell(page, "lambdamart", "nDCG@10");
  const pair = results.statistics.measures["nDCG@10"].pairs.find((p: any) => p.b === "lambdamart" && p.a === "feature");
  await found.hover();
  const tip = page.locator("#tip");
  await expect(tip).toBeVisible();
  await expect(tip).toContainText("Against feature");
  await expect(tip).toContainText(`${pair.losses} · ${pair.ties} · ${pair.wins}`);
  await expect(tip).toContainText(`randomisation ${fixed(pair.p.randomisation)}`);
  await expect(found).toHaveAttribute("aria-describedby", "tip");
  await page.mouse.move(0, 0);
  await expect(tip).toBeHidden();
  await found.focus();
  await expect(tip).toContainText("lambdamart · nDCG@10");
  await page.keyboard.press("ArrowRight");
  await expect(tip).toContainText("lambdamart · nDCG@5");
  await page.keyboard.press("Escape");
  await expect(tip).toBeHidden();
  await page.locator("#against-table .explained").first().focus();
  await expect(tip).toContainText("wilcoxon");
});

test("the theme follows the system until the reader chooses", async ({ page, show }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const picture = () => page.locator("#line-chart canvas").evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  await page.emulateMedia({ colorScheme: "dark" });
  await show(results);
  const dark = await ground();
  const darkPicture = await picture();
  await page.locator("#theme").click();
  const light = await ground();
  expect(light).not.toBe(dark);
  expect(await picture()).not.toBe(darkPicture);
  await page.reload();
  expect(await ground()).toBe(light);
  await page.locator("#theme").press("Enter");
  expect(await ground()).toBe(dark);
});

test("copies commands", async ({ page, context, show }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await show(results);
  await page.getByRole("button", { name: "Copy the command of this comparison" }).click();
  await expect(page.locator("#announcement")).toHaveText("Copied the command of this comparison");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(results.command.join(" "));
});

test("queries: system, order, filter and pages", async ({ page, show }) => {
  await show(results);
  const first = page.locator("#query-table tbody tr").first();
  await page.selectOption("#query-system", "linear");
  await expect(page.locator("#query-table thead")).toContainText("linear");
  await page.selectOption("#query-order", "loss");
  await expect(first.locator("td").nth(2)).toHaveText(/^−/);
  await page.selectOption("#query-order", "gain");
  await expect(first.locator("td").nth(2)).toHaveText(/^\+/);
  const top = await first.locator("th").textContent();
  await page.locator("#queries-on").click();
  await expect(page.locator(".pager")).toContainText("Page 2 of");
  await expect(first.locator("th")).not.toHaveText(top!);
  await page.locator("#queries-back").click();
  await expect(first.locator("th")).toHaveText(top!);
  await page.locator("#query-filter").pressSequentially("10021");
  await expect(page.locator("#query-filter")).toBeFocused();
  await expect(page.locator("#query-table tbody tr")).toHaveCount(1);
  await page.locator("#query-filter").fill("no such");
  await expect(page.locator(".pager")).toContainText("No query has this id");
});

test("curves, objectives, importances and costs can be chosen", async ({ page, show }) => {
  await show(results);
  await page.selectOption("#curve-system", "mart");
  await page.selectOption("#curve-fold", "Fold3");
  await expect(page.locator("#curve-chart figcaption")).toContainText("mart");
  await expect(page.locator("#curve-chart .u-legend")).toContainText("nDCG@10 valid");
  await page.selectOption("#objective-system", "listnet");
  await expect(page.locator("#path-valid")).toHaveCount(0);
  await page.selectOption("#objective-system", "svm-map");
  await page.selectOption("#objective-fold", "Fold2");
  await expect(page.locator("#path-valid canvas")).toHaveCount(1);
  await page.selectOption("#importance-system", "mart");
  await page.locator("#importance-rest summary").click();
  await expect(page.locator("#importance-more tbody tr")).toHaveCount(13);
  await page.locator("#cost-value").click();
  await expect(page.locator("#cost-table tbody th").first()).toHaveText(byMeasure("nDCG@10")[0]!);
  await page.locator("#cost-name").click();
  await expect(page.locator("#cost-table tbody th").first()).toHaveText("directrank");
});

test("arrow keys read a chart", async ({ page, show }) => {
  await show(results);
  const chart = page.locator("#grade-chart .chart");
  await chart.focus();
  await page.keyboard.press("ArrowRight");
  await expect(chart.locator(".u-legend")).toContainText("12,279");
  await page.keyboard.press("End");
  await expect(chart.locator(".u-legend")).toContainText("931");
});

test("everything is reachable by the tab key, with visible focus", async ({ page, show }) => {
  await show(results);
  const reached = new Set<string>();
  for (let i = 0; i < 120; ++i) {
    await page.keyboard.press("Tab");
    const [id, outlined] = await page.evaluate(() => {
      const active = document.activeElement!;
      return [active.id || active.className, getComputedStyle(active).outlineStyle !== "none"] as const;
    });
    if (id) expect(outlined, id).toBe(true);
    reached.add(id);
    if (id === "copy") break;
  }
  for (const id of ["choose-measure", "choose-baseline", "theme", "sort-name", "query-system", "query-filter", "curve-system", "objective-fold", "cost-memory", "importance-system", "copy"])
    expect([...reached]).toContain(id);
});
