// What failed, and why.
import { h } from "../dom";
import type { Section } from "./section";

export const failures: Section = {
  id: "failures",
  title: "Failures",
  depends: [],
  draw({ results }) {
    const found = results.systems.flatMap((system) => {
      const cells = (system.cells ?? []).filter((cell) => cell.status === "failed");
      return system.failed || cells.length > 0 ? [{ system, cells }] : [];
    });
    if (found.length === 0) return null;
    return [
      h(
        "ul",
        { class: "failures", id: "failure-list" },
        found.map(({ system, cells }) => {
          const messages = new Map<string, string[]>();
          for (const cell of cells) {
            const message = cell.message ?? "no message";
            messages.set(message, [...(messages.get(message) ?? []), cell.fold]);
          }
          if (messages.size === 0) messages.set(system.failed ?? "no message", []);
          return h(
            "li",
            {},
            h("strong", {}, system.name),
            system.failed ? " failed everywhere; the others were compared without it." : " failed in some parts.",
            [...messages].map(([message, folds]) => h("p", { class: "message" }, folds.length ? `${folds.join(", ")}: ` : "", h("code", {}, message))),
          );
        }),
      ),
    ];
  },
};
