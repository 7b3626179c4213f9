// Sizes, media and hostile names.
import { cell, expect, fixture, overflow, test } from "./report";

for (const width of [360, 390, 768, 1280])
  test(`no horizontal scrolling at ${width} px`, async ({ page, show }) => {
    await page.setViewportSize({ width, height: 800 });
    await show(fixture());
    for (const details of await page.locator("details > summary").all()) await details.click();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  });

test("a narrow page shows details inside the window", async ({ page, show }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await show(fixture());
  await cell(page, "lambdamart", "nDCG@10").focus();
  const box = (await page.locator("#tip").boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(360);
});

test("prints light, without controls, from a dark screen", async ({ page, show }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await show(fixture());
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.locator(".bar-of-choices")).toBeHidden();
  await expect(page.locator("#matrix-table")).toBeVisible();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--text").trim())).toBe("#1b1d21");
  expect((await page.pdf({ format: "A4" })).length).toBeGreaterThan(20_000);
});

test("text has enough contrast in both themes", async ({ page, show }) => {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await show(fixture());
    const worst = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const luminance = (name: string) => {
        const hex = style.getPropertyValue(`--${name}`).trim();
        const parts = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * parts[0]! + 0.7152 * parts[1]! + 0.0722 * parts[2]!;
      };
      const grounds = ["ground", "raised", "sunken", "accent-ground"].map(luminance);
      const inks = ["text", "muted", "accent", "gain", "loss"].map(luminance);
      return Math.min(...inks.flatMap((a) => grounds.map((b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05))));
    });
    expect(worst, colorScheme).toBeGreaterThanOrEqual(4.5);
  }
});

test("names are shown, never executed", async ({ page, show }) => {
  const hostile = `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'&amp;`;
  const results = fixture();
  const text = JSON.stringify(results)
    .replaceAll('"lambdamart"', JSON.stringify(hostile))
    .replaceAll('"10000"', JSON.stringify(`<img src=x onerror=alert(3)>`))
    .replaceAll('"MQ2008"', JSON.stringify(`<svg onload=alert(4)>`));
  await show(JSON.parse(text));
  await expect(page.locator("h1")).toHaveText("<svg onload=alert(4)>");
  await expect(page.locator("#matrix-table tbody th .name", { hasText: hostile })).toHaveCount(1);
  await page.locator("#query-filter").fill("onerror");
  await expect(page.locator("#query-table tbody th")).toHaveText("<img src=x onerror=alert(3)>");
  await page.locator("#matrix-table tbody td").first().hover();
  expect(await page.locator("img, svg, script:not([type]):not(:last-of-type)").count()).toBe(0);
});

test("one system", async ({ page, show }) => {
  await show(fixture({ systems: 1, failed: false, queries: 50 }));
  await expect(page.locator("#matrix-table tbody tr")).toHaveCount(1);
  await expect(page.locator("#against")).toBeHidden();
  await expect(page.locator("#queries")).toBeHidden();
});

test("only failures", async ({ page, show }) => {
  const results = fixture({ systems: 2, queries: 50 });
  results.systems = [results.systems[1]];
  results.statistics = null;
  results.line = null;
  await show(results);
  await expect(page.locator("#finding")).toHaveText("No system finished.");
  await expect(page.locator("#failures")).toBeVisible();
});

test("too few queries: a message instead of p-values", async ({ page, show }) => {
  const results = fixture({ systems: 3, failed: false, queries: 50 });
  for (const statistics of Object.values<any>(results.statistics.measures)) {
    statistics.reason = "4 queries are too few";
    statistics.standings = {};
    for (const pair of statistics.pairs) Object.assign(pair, { p: {}, adjusted: {}, interval: null, bootstrap: null, dz: null, reason: "4 queries are too few" });
  }
  await show(results);
  await expect(page.locator("#matrix .note")).toContainText("4 queries are too few");
  await expect(page.locator("#against-table .verdict").first()).toHaveText("not tested");
});

test("30 systems and 10,000 queries stay fast", async ({ page, show }) => {
  await show(fixture({ systems: 31, queries: 10_000 }));
  await expect(page.locator("#matrix-table tbody tr")).toHaveCount(31);
  await expect(page.locator("#query-table tbody tr")).toHaveCount(15);
  expect(await page.locator("*").count()).toBeLessThan(5000);
  const start = Date.now();
  await page.selectOption("#choose-measure", "AP");
  await expect(page.locator("#finding")).toContainText("highest AP");
  expect(Date.now() - start).toBeLessThan(5000);
});

test("results of a newer format are refused with a message", async ({ page, served }) => {
  served.write({ ...fixture({ systems: 2, queries: 50 }), version: 2 });
  await page.goto(await served.report());
  await expect(page.locator("#state")).toContainText("version 2");
});
