// Text to paste, with a button that copies it.
import { announce } from "./announce";
import { h } from "./dom";

// There is no clipboard object if another machine serves the page without TLS.
function copyBySelection(text: string): boolean {
  const area = h("textarea", { class: "spoken", "aria-hidden": "true" });
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

// Lines break between words, not inside --options.
function words(text: string): (HTMLElement | string)[] {
  return text.split(" ").flatMap((word, i) => [i > 0 ? " " : "", h("span", { class: "word" }, word)]);
}

export function copyable(text: string, what: string): HTMLElement {
  const button = h("button", { type: "button", class: "copy", "aria-label": `Copy ${what}` }, "Copy");
  button.addEventListener("click", async () => {
    const copied = await copyText(text);
    announce(copied ? `Copied ${what}` : "The browser did not allow copying");
    button.textContent = copied ? "Copied" : "Copy";
    window.setTimeout(() => (button.textContent = "Copy"), 1600);
    button.focus({ preventScroll: true });
  });
  return h("div", { class: "command" }, h("code", { tabindex: 0 }, words(text)), button);
}

// An argument quoted for a shell.
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`;
}
