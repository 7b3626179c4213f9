// A section of the page: a heading, the choices it depends on, and how to draw it.
import type { Report } from "../results";
import type { Choices, View } from "../view";

export type Choose = (change: Partial<View>) => void;

export interface Section {
  id: string;
  title: string;
  depends: readonly Choices[];
  // null: nothing to show in this report.
  draw: (report: Report, view: View, choose: Choose) => Node[] | null;
}
