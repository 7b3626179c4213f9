// The reader's choices. Sections list the choices they depend on, and are redrawn when one changes.
import { bestSystems, type Report, systemNamed, working } from "./results";

export interface View {
  measure: string;
  baseline: string;
  system: string; // compared with the baseline query by query
  sort: { column: string; descending: boolean };
  queryOrder: "size" | "gain" | "loss";
  queryFilter: string;
  queryPage: number;
  curveSystem: string;
  curveFold: string; // "" for all
  objectiveSystem: string;
  objectiveFold: string;
  importanceSystem: string;
  costOrder: "value" | "seconds" | "memory" | "name";
}
export type Choices = keyof View;

export function firstView(report: Report): View {
  const { results } = report;
  const measure = results.measures[0] ?? "";
  return settled(report, {
    measure,
    baseline: results.statistics?.baseline ?? "",
    system: "",
    sort: { column: measure, descending: true },
    queryOrder: "size",
    queryFilter: "",
    queryPage: 0,
    curveSystem: "",
    curveFold: "",
    objectiveSystem: "",
    objectiveFold: "",
    importanceSystem: "",
    costOrder: "seconds",
  });
}

// The same view with every choice that the report does not offer replaced by one that it does.
export function settled(report: Report, view: View): View {
  const { results } = report;
  const names = working(results).map((system) => system.name);
  const known = (name: string) => systemNamed(results, name) !== undefined;
  const measure = results.measures.includes(view.measure) ? view.measure : (results.measures[0] ?? "");
  const baseline = known(view.baseline) ? view.baseline : (names[0] ?? results.systems[0]?.name ?? "");
  const best = bestSystems(results, measure)[0]?.name;
  const others = names.filter((name) => name !== baseline);
  const rival = best && best !== baseline ? best : (others[0] ?? "");
  const system = view.system !== baseline && names.includes(view.system) ? view.system : rival;
  return { ...view, measure, baseline, system };
}
