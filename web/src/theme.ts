// Dark or light: the system's setting, unless the reader chose.
const KEY = "podium-theme";
const systemDark = window.matchMedia("(prefers-color-scheme: dark)");

type Theme = "light" | "dark";

function stored(): Theme | null {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === "light" || theme === "dark" ? theme : null;
  } catch {
    return null; // storage is forbidden in some private windows
  }
}

export function themeInForce(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  if (chosen === "light" || chosen === "dark") return chosen;
  return systemDark.matches ? "dark" : "light";
}

export function startTheme(changed: () => void): void {
  const theme = stored();
  if (theme) document.documentElement.dataset["theme"] = theme;
  systemDark.addEventListener("change", changed);
  window.matchMedia("print").addEventListener("change", changed);
}

export function toggleTheme(): Theme {
  const theme = themeInForce() === "dark" ? "light" : "dark";
  document.documentElement.dataset["theme"] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Then it is not remembered.
  }
  return theme;
}
