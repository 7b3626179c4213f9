// The page of `podium serve` fills up while results.json changes.
import { expect, fixture, makeUnfinished, overflow, test } from "./live";

test("waits, fills up, and stops polling when complete", async ({ page, served }) => {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await page.goto(served.url);
  await expect(page.locator("#state")).toContainText("Waiting for the first results");

  const results = fixture();
  served.write(makeUnfinished(results, 0));
  await expect(page.locator("#progress")).toContainText("0 of 45 cells finished");
  served.write(makeUnfinished(results, 3));
  await expect(page.locator("#progress")).toContainText("15 of 45 cells finished");
  await expect(page.locator("#finding")).toContainText("so far");
  await page.selectOption("#choose-measure", "AP");
  await page.locator("#query-filter").fill("10");
  await page.locator("#query-filter").focus();

  served.write(results);
  await expect(page.locator("#progress")).toHaveCount(0);
  await expect(page.locator("#choose-measure")).toHaveValue("AP");
  await expect(page.locator("#query-filter")).toHaveValue("10");
  await expect(page.locator("#query-filter")).toBeFocused();
  await expect(page.locator("#matrix-table tbody tr")).toHaveCount(results.systems.length);
  expect(await overflow(page)).toBeLessThanOrEqual(0);

  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "one file that works offline" }).click();
  expect((await download).suggestedFilename()).toBe("report.html");

  let asked = 0;
  page.on("request", () => ++asked);
  await page.waitForTimeout(3500); // two intervals: long enough to see an unexpected request
  expect(asked).toBe(0);
  expect(problems).toEqual([]);
});

test("reports that the server is gone, and keeps the results", async ({ page, served }) => {
  served.write(makeUnfinished(fixture(), 2));
  await page.goto(served.url);
  await expect(page.locator("#progress")).toContainText("10 of 45");
  await served.stop();
  await expect(page.locator("#state")).toContainText("not responding");
  await expect(page.locator("#matrix-table")).toBeVisible();
});

test("results that cannot be drawn are reported as an error of the page, not of the server", async ({ page, served }) => {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  served.write({ ...fixture({ systems: 2, queries: 50 }), systems: null }, {});
  await page.goto(served.url);
  await expect(page.locator("#state")).toContainText("cannot show these results");
  await expect.poll(() => problems.length).toBe(1); // the event may come after the text
});

test("results of a newer format are refused with a lasting message", async ({ page, served }) => {
  served.write({ ...fixture({ systems: 2, queries: 50 }), version: 2 });
  const second = page.waitForResponse((answer) => answer.url().endsWith("resources.json"));
  await page.goto(served.url);
  await (await second).finished();
  await expect(page.locator("#state")).toBeVisible();
  await expect(page.locator("#state")).toContainText("version 2");
});

test("shows results again when the server is back", async ({ page, served }) => {
  const results = fixture({ systems: 3, failed: false, queries: 50 });
  served.write(makeUnfinished(results, 1));
  await page.goto(served.url);
  await expect(page.locator("#progress")).toContainText("5 of 15");
  await page.route("**/resources.json", (route) => route.abort());
  served.write(makeUnfinished(results, 2));
  await expect(page.locator("#state")).toContainText("not responding");
  await page.unroute("**/resources.json");
  await expect(page.locator("#progress")).toContainText("10 of 15");
  await expect(page.locator("#state")).toBeHidden();
});
