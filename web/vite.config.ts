import { defineConfig } from "vite";
import { inlineEverything } from "./inline";

export default defineConfig({
  plugins: [inlineEverything()],
  build: {
    target: "es2020",
    cssCodeSplit: false,
    modulePreload: false,
    rollupOptions: { output: { format: "iife", inlineDynamicImports: true } },
  },
});
