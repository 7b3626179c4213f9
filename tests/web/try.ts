// Models, and `podium serve --model` on them, for the tests of its page.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test as base } from "@playwright/test";

export { expect, overflow } from "./report";

const TRANSFORM = { format: "podium-transform", version: 1, features: [], log1p: false, normalize: "none", thresholds: [] };
const TRAINING = { rows: 10, queries: 1, fingerprint: "0000000000000001", seed: 1, best_iteration: 1, validation: {} };

export function linear(features: string[], weights: number[]): object {
  return {
    format: "podium-model", version: 1, learner: "linear", options: {}, loss: "squared", measure: "nDCG@10", features,
    missing: "zero", normalization: TRANSFORM, model: { type: "linear", weights, bias: 0.5 }, training: TRAINING,
  };
}

export class ServedModels {
  private server: ChildProcess | null = null;
  readonly folder = mkdtempSync(join(tmpdir(), "podium-try-"));

  write(name: string, model: object | string): void {
    writeFileSync(join(this.folder, `${name}.json`), typeof model === "string" ? model : JSON.stringify(model));
  }
  async start(models: Record<string, object>, ...options: string[]): Promise<string> {
    for (const [name, model] of Object.entries(models)) this.write(name, model);
    const files = Object.keys(models).flatMap((name) => ["--model", join(this.folder, `${name}.json`)]);
    this.server = spawn(process.env["PODIUM"]!, ["serve", ...files, "--port", "0", "--quiet", ...options], { stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of createInterface({ input: this.server.stdout! })) return line;
    throw new Error("podium serve ended without a word");
  }
  async stop(): Promise<void> {
    if (!this.server) return;
    const ended = new Promise((resolve) => this.server!.once("exit", resolve));
    this.server.kill("SIGTERM");
    await ended;
    this.server = null;
  }
  async end(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true });
  }
}

export const test = base.extend<{ models: ServedModels; problems: string[] }>({
  models: async ({}, use) => {
    const models = new ServedModels();
    await use(models);
    await models.end();
  },
  // Exceptions of a page of this test, and violations of its policy.
  problems: async ({ page }, use) => {
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("Failed to load resource")) problems.push(message.text());
    });
    await use(problems);
  },
});
