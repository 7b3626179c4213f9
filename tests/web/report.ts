// Shared by the tests: results folders, `podium serve` on them, and a page that fails the test if it
// logs an error or makes a network request.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { test as base, expect, type Page } from "@playwright/test";
import { makeResults, writeFolder } from "./fixture.mjs";

export { expect };
export type Json = any; // results.json has no schema here: the tests access it directly

async function firstLine(server: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: server.stdout! })) return line;
  throw new Error("podium serve ended without a word");
}

export class Served {
  private server: ChildProcess | null = null;
  readonly folder = mkdtempSync(join(tmpdir(), "podium-web-"));
  url = "";

  write(results: Json, resources?: Json): void {
    writeFolder(this.folder, results, resources);
  }
  async start(): Promise<void> {
    this.server = spawn(process.env["PODIUM"]!, ["serve", this.folder, "--port", "0", "--quiet"], { stdio: ["ignore", "pipe", "inherit"] });
    this.url = await firstLine(this.server);
  }
  async stop(): Promise<void> {
    if (!this.server) return;
    const ended = new Promise((resolve) => this.server!.once("exit", resolve));
    this.server.kill("SIGTERM");
    await ended;
    this.server = null;
  }
  // The self-contained report, as a file.
  async report(): Promise<string> {
    const answer = await fetch(`${this.url}report.html`);
    const path = join(this.folder, "report.html");
    writeFileSync(path, await answer.text());
    return pathToFileURL(path).href;
  }
  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }
}

export const test = base.extend<{ served: Served; complaints: string[]; show: (results: Json, resources?: Json) => Promise<void> }>({
  served: async ({}, use) => {
    const served = new Served();
    await served.start();
    await use(served);
    await served.end();
  },
  // Unexpected logs and requests of the pages of this test.
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      if (!/^(file|data):/.test(request.url())) complaints.push(`request: ${request.url()}`);
    });
    await use(complaints);
    expect(complaints).toEqual([]);
  },
  show: async ({ page, served, complaints }, use) => {
    void complaints;
    await use(async (results, resources) => {
      served.write(results, resources);
      await page.goto(await served.report());
      await page.waitForSelector("#matrix-table");
    });
  },
});

export const fixture = (options = {}): Json => makeResults(options);

export const cell = (page: Page, system: string, measure: string) =>
  page.locator(`#matrix-table td[data-system="${system}"][data-measure="${measure}"]`);

// Numbers as the page formats them.
export const fixed = (x: number, digits = 4): string => x.toFixed(digits).replace("-", "\u2212");
export const signedText = (x: number, digits = 4): string => (x > 0 ? "+" : "") + fixed(x, digits);

export async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}
