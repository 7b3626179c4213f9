// The values of the page are those of results.json.
import { cell, expect, fixed, fixture, signedText, test } from "./report";

const results = fixture();
const measure = results.measures[0];
const alive = results.systems.filter((system: any) => !system.failed);

test("the matrix shows every mean and standing", async ({ page, show }) => {
  await show(results);
  for (const system of alive)
    for (const name of results.measures) {
      const found = cell(page, system.name, name);
      expect(Number(await found.getAttribute("data-value"))).toBe(system.test[name]);
      expect(await found.textContent()).toContain(fixed(system.test[name]));
      expect(await found.getAttribute("data-standing")).toBe(results.statistics.measures[name].standings[system.name]);
    }
  await expect(page.locator("#matrix-table .best")).toHaveCount(results.measures.length);
});

test("the head shows what was compared and the result", async ({ page, show }) => {
  await show(results);
  const best = alive.reduce((a: any, b: any) => (b.test[measure] > a.test[measure] ? b : a));
  await expect(page.locator("h1")).toHaveText(results.data.name);
  await expect(page.locator("#finding")).toContainText(`${best.name} has the highest ${measure}, ${fixed(best.test[measure])}.`);
  await expect(page.locator(".head")).toContainText("300");
  await expect(page.locator("#convention")).toContainText(results.convention.text);
});

test("columns that are no plain numbers are listed", async ({ page, show }) => {
  await show(results);
  await page.locator("#columns summary").click();
  const rows = page.locator("#columns-table tbody tr");
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toHaveText(/brand.*category.*1.?200.*25/);
  await expect(rows.nth(2)).toHaveText(/url.*ignored/);
});

test("differences from the baseline are the pairs, reversed if needed", async ({ page, show }) => {
  await show(results);
  for (const baseline of [alive[0].name, alive[4].name]) {
    await page.selectOption("#choose-baseline", baseline);
    for (const system of alive) {
      if (system.name === baseline) continue;
      const pairs = results.statistics.measures[measure].pairs;
      const straight = pairs.find((pair: any) => pair.a === system.name && pair.b === baseline);
      const pair = straight ?? pairs.find((other: any) => other.b === system.name && other.a === baseline);
      const sign = straight ? 1 : -1;
      const row = page.locator(`#against-table tr[data-system="${system.name}"]`);
      await expect(row.locator("td").nth(0)).toHaveText(signedText(sign * pair.mean));
      expect(Number(await row.locator("td").nth(2).getAttribute("data-value"))).toBe(pair.adjusted["max-t"]);
      const [wins, losses] = straight ? [pair.wins, pair.losses] : [pair.losses, pair.wins];
      await expect(row.locator(".outcome-text")).toContainText(`${wins} · ${pair.ties} · ${losses}`);
    }
  }
});

test("queries are those of per_query, the most changed first", async ({ page, show }) => {
  await show(results);
  const system = await page.locator("#query-system").inputValue();
  const mine = results.systems.find((s: any) => s.name === system).per_query[measure];
  const theirs = alive[0].per_query[measure];
  const expected = results.queries
    .map((qid: string, q: number) => ({ qid, difference: mine[q] === null || theirs[q] === null ? null : mine[q] - theirs[q] }))
    .filter((d: any) => d.difference !== null)
    .sort((a: any, b: any) => Math.abs(b.difference) - Math.abs(a.difference))
    .slice(0, 15);
  const rows = await page.locator("#query-table tbody tr").all();
  expect(rows.length).toBe(15);
  for (const [i, row] of rows.entries()) {
    await expect(row.locator("th")).toHaveText(expected[i].qid);
    await expect(row.locator("td").nth(2)).toHaveText(signedText(expected[i].difference));
  }
});

test("importances, times, cells and failures are shown", async ({ page, show }) => {
  await show(results);
  const system = await page.locator("#importance-system").inputValue();
  const [first] = results.systems.find((s: any) => s.name === system).importance;
  await expect(page.locator("#importance-table tbody tr").first()).toContainText(`${(100 * first.share).toFixed(1)}%`);
  await expect(page.locator('#cost-table tr[data-system="lambdamart"]')).toHaveCount(1);
  await page.locator("#cells-lambdamart summary").click();
  const [firstCell] = results.systems.find((s: any) => s.name === "lambdamart").cells;
  await expect(page.locator("#cells-lambdamart")).toContainText(firstCell.command);
  await expect(page.locator("#cells-lambdamart tbody tr").first()).toContainText(fixed(firstCell.test[measure]));
  await expect(page.locator("#failure-list")).toContainText("training diverged at epoch 3");
});

test("charts have their numbers in a table", async ({ page, show }) => {
  await show(results);
  const { line } = results;
  await page.locator("#line-chart-table summary").click();
  await expect(page.locator("#line-chart-table tbody tr")).toHaveCount(line.pieces.length);
  await expect(page.locator("#line-chart-table tbody tr").first()).toContainText(fixed(line.pieces[0][1]));
  await page.locator("#grade-chart-table summary").click();
  await expect(page.locator("#grade-chart-table tbody tr")).toHaveText(["012,279", "12,001", "2931"]);
  for (const id of ["query-chart", "curve-chart", "path-valid", "path-primal", "path-gap", "path-iterations", "objective-chart", "gap-chart", "line-chart", "cost-chart", "grade-chart", "length-chart"])
    await expect(page.locator(`#${id} canvas`), id).toHaveCount(1);
});
