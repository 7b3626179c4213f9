// Numbers as text. A minus is U+2212, and a missing value is a dash.
import { isNumber } from "./results";

const NONE = "–";
const minus = (text: string): string => text.replace("-", "\u2212");

export function value(x: unknown, digits = 4): string {
  return isNumber(x) ? minus(x.toFixed(digits)) : NONE;
}

export function signed(x: unknown, digits = 4): string {
  if (!isNumber(x)) return NONE;
  const text = x.toFixed(digits);
  if (x === 0) return text;
  if (Number(text) === 0) return `±${Math.abs(x).toFixed(digits)}`;
  return x > 0 ? `+${text}` : minus(text);
}

export function interval(range: [number, number] | null | undefined, digits = 4): string {
  return range ? `${signed(range[0], digits)} to ${signed(range[1], digits)}` : NONE;
}

export function pValue(p: unknown): string {
  if (!isNumber(p)) return NONE;
  if (p < 0.0001) return "<0.0001";
  return p.toFixed(p < 0.1 ? 4 : 3);
}

export function count(x: unknown): string {
  return isNumber(x) ? x.toLocaleString("en-US", { maximumFractionDigits: 1 }) : NONE;
}

export function percent(x: unknown): string {
  return isNumber(x) ? `${(100 * x).toFixed(1)}%` : NONE;
}

export function seconds(x: unknown): string {
  if (!isNumber(x)) return NONE;
  if (x < 1) return `${(1000 * x).toFixed(x < 0.01 ? 2 : 0)} ms`;
  if (x < 100) return `${x.toFixed(1)} s`;
  if (x < 6000) return `${Math.floor(x / 60)} min ${Math.round(x % 60)} s`;
  return `${Math.floor(x / 3600)} h ${Math.round((x % 3600) / 60)} min`;
}

export function bytes(x: unknown): string {
  if (!isNumber(x)) return NONE;
  if (x < 1e9) return `${(x / 1e6).toFixed(x < 1e7 ? 1 : 0)} MB`;
  return `${(x / 1e9).toFixed(2)} GB`;
}

// Short, for axes and options: 0.001, 1e-5, 12.5.
export function short(x: unknown): string {
  if (!isNumber(x)) return NONE;
  const size = Math.abs(x);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return minus(x.toExponential(0).replace("e+", "e"));
  return minus(String(Number(x.toPrecision(4))));
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

export function listed(names: string[]): string {
  if (names.length < 2) return names.join("");
  return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}
