// Starts the report: from the results inside the page or, if there are none, from those next to it.
import { mountAnnouncements } from "./announce";
import { showAuto } from "./auto/page";
import type { Summary } from "./auto/summary";
import { redrawCharts } from "./chart";
import { showClicks } from "./clicks/page";
import type { ClickSummary } from "./clicks/summary";
import { h } from "./dom";
import { follow } from "./live";
import { Page } from "./page";
import type { Report, Resources, Results } from "./results";
import { startTheme } from "./theme";
import { mountTip } from "./tip";
import "./style.css";

function embedded<T>(id: string): T | null {
  return JSON.parse(document.getElementById(id)?.textContent || "null") as T | null;
}

function problem(results: Results): string | null {
  if (results.format !== "podium-results") return "This is not a results.json of podium compare.";
  if (results.version !== 1) return `These results have version ${results.version}; this page supports version 1. Use a newer Podium.`;
  return null;
}

type Embedded = Results | Summary | ClickSummary;

function isSummary(found: Embedded): found is Summary {
  return found.format === "podium-auto";
}

function isClickSummary(found: Embedded): found is ClickSummary {
  return found.format === "podium-clicks-report";
}

function start(): void {
  const root = document.getElementById("app")!;
  const note = h("p", { id: "state", role: "status" });
  const say = (text: string): void => {
    note.textContent = text;
    note.hidden = text === "";
  };
  const results = embedded<Embedded>("results");
  const foot = results
    ? ["Made by Podium. This page works offline and makes no network requests."]
    : ["Made by Podium. To keep this page, download it as ", h("a", { href: "report.html" }, "one file that works offline"), "."];
  let page: Page | null = null;
  const show = (report: Report): void => {
    const wrong = problem(report.results);
    if (wrong) {
      say(wrong);
      return;
    }
    try {
      page ??= new Page(root, foot);
      page.show(report);
    } catch (error) {
      say("This page cannot show these results; see the browser's console for the reason.");
      throw error;
    }
  };
  startTheme(redrawCharts);
  document.body.prepend(note);
  mountTip();
  mountAnnouncements();
  if (results === null) {
    void follow({ show, say });
    return;
  }
  say("");
  if (isSummary(results)) {
    showAuto(root, results, foot);
    return;
  }
  if (isClickSummary(results)) {
    showClicks(root, results, foot);
    return;
  }
  show({ results, resources: embedded<Resources>("resources") });
}

start();
