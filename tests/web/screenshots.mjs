// Screenshots of a report, for viewing: light, dark, narrow, and printed.
//   node tests/web/screenshots.mjs build/release/web report.html FOLDER
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [web, report, folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node screenshots.mjs BUILD/web REPORT.html FOLDER");
const { chromium } = createRequire(resolve(web, "package.json"))("playwright-core");
const executablePath = process.env.PODIUM_CHROMIUM ?? "/usr/bin/chromium";

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const looks = { light: [1280, "light"], dark: [1280, "dark"], narrow: [390, "light"] };
for (const [name, [width, colorScheme]] of Object.entries(looks)) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  await page.goto(pathToFileURL(resolve(report)).href);
  await page.waitForSelector("#matrix-table");
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  if (name === "light") await page.pdf({ path: `${folder}/print.pdf`, format: "A4" });
  await page.close();
}
await browser.close();
