import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  timeout: 60_000,
  workers: 1,
  reporter: [["list"]],
  outputDir: "results",
  use: {
    launchOptions: { executablePath: process.env["PODIUM_CHROMIUM"], args: ["--no-sandbox"] },
  },
});
