// The page that `podium explain -o FILE.html` writes, opened as a file.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, linear, overflow, test as base } from "./try";

const MODEL = linear(["bm25", "length"], [2, -1]); // and a bias of 0.5
const DATA = `label,qid,docid,bm25,length
0,7,weak,0.25,1
2,7,</script><b>strong</b>,1.5,0.5
1,7,middle,1,
1,8,elsewhere,1,1
0,9,${"x".repeat(120)},1,1
0,9,${"y".repeat(120)},2,1
`;

const test = base.extend<{ explain: (query: string, ...options: string[]) => string }>({
  // Writes the page and returns its URL.
  explain: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), "podium-explain-"));
    await use((query, ...options) => {
      writeFileSync(join(folder, "model.json"), JSON.stringify(MODEL));
      writeFileSync(join(folder, "data.csv"), DATA);
      const files = ["--model", join(folder, "model.json"), "--data", join(folder, "data.csv"), "-o", join(folder, "why.html")];
      execFileSync(process.env["PODIUM"]!, ["explain", ...files, "--query", query, "--quiet", ...options]);
      return pathToFileURL(join(folder, "why.html")).href;
    });
    rmSync(folder, { recursive: true });
  },
});

test("shows the ranking, and why the first document has its score", async ({ page, explain, problems }) => {
  await page.goto(explain("7"));
  await expect(page.locator("#title")).toHaveText("Query 7: why this order");
  await expect(page.locator("#about")).toContainText("3 documents, scored by");
  await expect(page.locator("#about")).toContainText("contributions by terms");
  await expect(page.locator("#ranking tbody tr")).toHaveText(["1</script><b>strong</b>23.0000", "2middle12.5000", "3weak00.0000"]);
  await expect(page.locator("#ranking b")).toHaveCount(0);
  await expect(page.locator("#why h1")).toHaveText("</script><b>strong</b>: 3.0000");
  await expect(page.locator("#why p")).toContainText("From 0.5000");
  await expect(page.locator("#why tr")).toHaveText(["featurevalueadds", "bm251.5+3.0000", "length0.5-0.5000"]);
  expect(problems).toEqual([]);
});

test("compares two documents that are clicked, and goes back to one", async ({ page, explain, problems }) => {
  await page.goto(explain("7"));
  const rows = page.locator("#ranking tbody tr");
  await rows.nth(2).click();
  await expect(page.locator("#why h1")).toHaveText("</script><b>strong</b> above weak: +3.0000");
  await expect(page.locator("#why tr")).toHaveText(["feature</script><b>strong</b>weakdifference", "bm251.50.25+2.5000", "length0.51+0.5000"]);
  await expect(rows.nth(0)).toHaveAttribute("aria-selected", "true");
  await expect(rows.nth(2)).toHaveAttribute("aria-selected", "true");
  await rows.nth(1).click();
  await expect(page.locator("#why h1")).toHaveText("middle: 2.5000");
  await expect(rows.nth(0)).toHaveAttribute("aria-selected", "false");
  await rows.nth(0).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#why h1")).toHaveText("middle below </script><b>strong</b>: -0.5000");
  await expect(page.locator("#why tr").nth(2)).toContainText("missing");
  expect(problems).toEqual([]);
});

test("opens with the pair of --pair, and bars show the direction", async ({ page, explain, problems }) => {
  await page.goto(explain("7", "--pair", "weak,middle"));
  await expect(page.locator("#why h1")).toHaveText("weak below middle: -2.5000");
  const bars = page.locator("#why .bar i");
  await expect(bars).toHaveCount(2);
  await expect(bars.nth(0)).toHaveClass("down");
  expect(await bars.nth(0).evaluate((bar) => [bar.style.left, bar.style.width])).toEqual(["0%", "50%"]);
  expect(problems).toEqual([]);
});

test("makes no network requests", async ({ page, explain }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  const address = explain("7");
  await page.goto(address);
  await expect(page.locator("#why h1")).toBeVisible();
  expect(asked).toEqual([address]);
});

for (const width of [390, 1280])
  test(`fits ${width} pixels`, async ({ page, explain, problems }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(explain("9", "--pair", "1,2"));
    await expect(page.locator("#why h1")).toBeVisible();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
  });
