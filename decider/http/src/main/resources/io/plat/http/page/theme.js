// Light, dark, or the system's setting. Only this choice is stored in the browser.

import { icon, fill } from "/ui/dom.js";

const ORDER = ["auto", "light", "dark"];
const KEY = "plat-access-theme";
const WORDS = { auto: "as in the system settings", light: "light", dark: "dark" };
const FACES = { auto: "auto", light: "sun", dark: "moon" };

function stored() {
  try {
    const kept = localStorage.getItem(KEY);
    return ORDER.includes(kept) ? kept : "auto";
  } catch {
    return "auto";
  }
}

function show(theme, button) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  fill(button, icon(FACES[theme]));
  button.setAttribute("aria-label", `Colours: ${WORDS[theme]}. Change`);
  button.title = `Colours: ${WORDS[theme]}`;
}

export function themeSwitch(button) {
  let theme = stored();
  show(theme, button);
  button.addEventListener("click", () => {
    theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
    show(theme, button);
  });
}
