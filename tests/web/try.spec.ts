// The page of `podium serve --model`: paste, rank, see why.
import { expect, linear, overflow, test } from "./try";

const TWO = { bm25: 2, length: -1 };
const MODEL = linear(Object.keys(TWO), Object.values(TWO));
const DOCUMENTS = {
  documents: [
    { id: "weak", features: { bm25: 0.25, length: 1 } },
    { id: "<b>strong</b>", features: { bm25: 1.5, length: 0.5 } },
    { id: "middle", features: { bm25: 1 } },
  ],
};

test("ranks pasted JSON and explains it", async ({ page, models, problems }) => {
  await page.goto(await models.start({ first: MODEL }));
  await expect(page.locator("#about")).toContainText("first: linear, linear, 2 features");
  await expect(page.locator("#model-field")).toBeHidden();
  await page.locator("#documents").fill(JSON.stringify(DOCUMENTS));
  await page.getByRole("button", { name: "Rank", exact: true }).click();

  const rows = page.locator("#ranking tbody tr");
  await expect(rows).toHaveText(["1<b>strong</b>3.0000", "2middle2.5000", "3weak0.0000"]);
  await expect(page.locator("#state")).toContainText("3 documents ranked by first. Contributions by terms.");
  await expect(page.locator("#why h2")).toHaveText("Why <b>strong</b> has 3.0000");
  await expect(page.locator("#why tbody tr")).toHaveText(["bm251.5+3.0000", "length0.5−0.5000"]);
  await expect(page.locator("#ranking b")).toHaveCount(0);

  await page.getByRole("button", { name: "weak" }).click();
  await expect(page.locator("#why h2")).toHaveText("Why <b>strong</b> is above weak");
  await expect(page.locator("#why tbody tr")).toHaveText(["bm251.50.25+2.5000", "length0.51+0.5000"]);
  await expect(page.getByRole("button", { name: "weak" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "middle" }).click();
  await expect(page.locator("#why h2")).toHaveText("Why middle has 2.5000");
  expect(problems).toEqual([]);
});

test("ranks pasted LETOR lines by keyboard", async ({ page, models, problems }) => {
  await page.goto(await models.start({ numbered: linear(["1", "2"], [1, 1]) }));
  await page.locator("#documents").fill("0 qid:7 1:1 2:nan # a\n0 qid:7 1:0.5 2:3\n");
  await page.keyboard.press("Control+Enter");
  await expect(page.locator("#ranking tbody tr")).toHaveText(["1document 24.0000", "2a1.5000"]);
  await page.getByRole("button", { name: "a", exact: true }).press("Enter");
  await expect(page.locator("#why h2")).toHaveText("Why document 2 is above a");
  await expect(page.locator("#why tbody tr").first()).toHaveText("23+3.0000");
  expect(problems).toEqual([]);
});

test("the example ranks, with every model", async ({ page, models, problems }) => {
  await page.goto(await models.start({ first: MODEL, second: linear(["x"], [1]) }));
  await page.locator("#model").selectOption("second");
  await expect(page.locator("#about")).toContainText("second: linear");
  await page.getByRole("button", { name: "Fill in an example" }).click();
  await page.getByRole("button", { name: "Rank", exact: true }).click();
  await expect(page.locator("#ranking tbody tr")).toHaveCount(6);
  await expect(page.locator("#state")).toContainText("ranked by second");
  expect(problems).toEqual([]);
});

test("shows errors, and recovers", async ({ page, models, problems }) => {
  await page.goto(await models.start({ first: MODEL }));
  const rank = page.getByRole("button", { name: "Rank", exact: true });
  await page.locator("#documents").fill('{"documents": [{"features": {"bm52": 1}}]}');
  await rank.click();
  await expect(page.locator("#problem")).toHaveText('the model has no feature "bm52", did you mean bm25?');
  await expect(page.getByRole("alert")).toBeVisible();
  await page.locator("#documents").fill("[[1, 2], [NaN, 1]]");
  await rank.click();
  await expect(page.locator("#problem")).toContainText("JSON has no NaN");
  await page.locator("#documents").fill("[[1, 2], [3, 1]]");
  await rank.click();
  await expect(page.locator("#problem")).toBeHidden();
  await expect(page.locator("#ranking tbody tr")).toHaveCount(2);
  await models.stop();
  await rank.click();
  await expect(page.locator("#problem")).toHaveText("The server is not responding.");
  expect(problems).toEqual([]);
});

test("ranks without explanations when there are too many documents to explain", async ({ page, models, problems }) => {
  await page.goto(await models.start({ first: MODEL }, "--max-explained", "2"));
  await page.locator("#documents").fill("[[1, 2], [3, 1], [2, 2]]");
  await page.getByRole("button", { name: "Rank", exact: true }).click();
  await expect(page.locator("#ranking tbody tr")).toHaveCount(3);
  await expect(page.locator("#state")).toContainText("Without explanations: at byte");
  await expect(page.locator("#why")).toBeEmpty();
  expect(problems).toEqual([]);
});

test("asks for the token when the server requires one", async ({ page, models, problems }) => {
  await page.goto(await models.start({ first: MODEL }, "--token", "secret"));
  await expect(page.locator("#problem")).toHaveText("This server requires a token.");
  await page.getByLabel("Server token").fill("wrong");
  await page.keyboard.press("Tab");
  await expect(page.locator("#problem")).toHaveText("The server does not accept this token.");
  await page.getByLabel("Server token").fill("secret");
  await page.keyboard.press("Tab");
  await expect(page.locator("#about")).toContainText("first: linear");
  await expect(page.locator("#problem")).toBeHidden();
  expect(problems).toEqual([]);
});

test("reports that a changed file cannot be used", async ({ page, models }) => {
  const url = await models.start({ first: MODEL });
  models.write("first", "broken");
  await expect.poll(async () => (await (await fetch(`${url}v1/model`)).json()).models[0].problem, { timeout: 20_000 }).not.toBeNull();
  await page.goto(url);
  await expect(page.locator("#about")).toContainText("Its file has changed but cannot be used");
});

for (const [width, colorScheme] of [[390, "light"], [1280, "dark"]] as const)
  test(`fits ${width} pixels, ${colorScheme}`, async ({ page, models, problems }) => {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const name = "a_rather_long_feature_name_".repeat(4);
    await page.goto(await models.start({ first: linear([name, "b"], [1, 2]) }));
    await page.locator("#documents").fill(JSON.stringify({ documents: [{ id: "x".repeat(120), features: { [name]: 1 } }, { features: { b: 1 } }] }));
    await page.getByRole("button", { name: "Rank", exact: true }).click();
    await expect(page.locator("#why h2")).toBeVisible();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    const [ground, text] = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]);
    expect([ground, text]).toEqual(colorScheme === "dark" ? ["rgb(20, 22, 26)", "rgb(236, 238, 241)"] : ["rgb(252, 252, 250)", "rgb(27, 29, 33)"]);
    expect(problems).toEqual([]);
  });
