// Short messages, shown and read by screen readers.
import { h } from "./dom";

const region = h("div", { id: "announcement", role: "status", "aria-live": "polite" });
let timer = 0;

export function mountAnnouncements(): void {
  document.body.append(region);
}

export function announce(text: string): void {
  region.textContent = text;
  region.classList.add("shown");
  window.clearTimeout(timer);
  timer = window.setTimeout(() => region.classList.remove("shown"), 1600);
}
