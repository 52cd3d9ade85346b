// Light, dark, or as the system has it.
import { useState } from "react";

export type Theme = "system" | "light" | "dark";
const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

export function useTheme() {
  const [theme, setTheme] = useState<Theme>(stored);
  const turn = () => {
    const next = NEXT[theme];
    if (next === "system") {
      delete document.documentElement.dataset.theme;
      localStorage.removeItem("theme");
    } else {
      document.documentElement.dataset.theme = next;
      localStorage.setItem("theme", next);
    }
    setTheme(next);
  };
  return { theme, turn };
}

function stored(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === "light" || theme === "dark" ? theme : "system";
}
