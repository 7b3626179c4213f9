// One tooltip for the page: shown while its owner is hovered or focused; Escape hides it.
import { h } from "./dom";

const box = h("div", { id: "tip", role: "tooltip", hidden: true });
let owner: HTMLElement | null = null;

function place(at: HTMLElement): void {
  const target = at.getBoundingClientRect();
  const size = box.getBoundingClientRect();
  const margin = 8;
  const left = Math.max(margin, Math.min(target.left, window.innerWidth - size.width - margin));
  const below = target.bottom + 6;
  const fits = below + size.height + margin <= window.innerHeight;
  box.style.left = `${left}px`;
  box.style.top = `${fits ? below : Math.max(margin, target.top - size.height - 6)}px`;
}

export function hideTip(): void {
  owner?.removeAttribute("aria-describedby");
  owner = null;
  box.hidden = true;
}

function showTip(at: HTMLElement, content: Node[]): void {
  hideTip();
  owner = at;
  box.replaceChildren(...content);
  box.hidden = false;
  at.setAttribute("aria-describedby", "tip");
  place(at);
}

export function mountTip(): void {
  document.body.append(box);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTip();
  });
  window.addEventListener("scroll", () => owner && place(owner), { passive: true, capture: true });
}

export function explain(at: HTMLElement, content: () => Node[]): void {
  const show = () => showTip(at, content());
  at.addEventListener("pointerenter", show);
  at.addEventListener("focus", show);
  at.addEventListener("pointerleave", () => {
    if (document.activeElement !== at) hideTip();
  });
  at.addEventListener("blur", hideTip);
}
