import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  timeout: 120_000,
  expect: { timeout: 20_000 }, // a busy machine is slow, not wrong
  workers: 1,
  reporter: [["list"]],
  outputDir: "results",
  use: {
    launchOptions: { executablePath: process.env["PODIUM_CHROMIUM"], args: ["--no-sandbox"] },
  },
});
