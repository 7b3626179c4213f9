// The button that switches between dark and light.
import { redrawCharts } from "./chart";
import { h } from "./dom";
import { themeInForce, toggleTheme } from "./theme";

export function themeButton(): HTMLElement {
  const label = () => (themeInForce() === "dark" ? "Light" : "Dark");
  const button = h("button", { type: "button", id: "theme", class: "theme", "aria-label": "Switch between dark and light" }, label());
  button.addEventListener("click", () => {
    toggleTheme();
    button.textContent = label();
    redrawCharts();
  });
  return button;
}
