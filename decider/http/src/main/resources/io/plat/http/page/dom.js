// Elements without markup in strings: a server's response is never parsed as HTML.

const UNSAFE = /[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu;

/** Replaces characters that reorder, hide or break a text: bidirectional overrides, zero-width and control characters. Values of other types are unchanged. */
export function shown(text) {
  return typeof text === "string" ? text.replace(UNSAFE, "\ufffd") : text;
}

const present = (children) => children.flat().filter((child) => child !== null && child !== undefined && child !== false).map(shown);

/** Creates an element. Attributes that are functions are event listeners (onclick); null and false omit an attribute. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else if (key === "value") element.value = value;
    else element.setAttribute(key, value === true ? "" : shown(value));
  }
  element.append(...present(children));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  sun: "M12 4V2m0 20v-2m8-8h2M2 12h2m13.7-5.7 1.4-1.4M4.9 19.1l1.4-1.4m0-11.4L4.9 4.9m14.2 14.2-1.4-1.4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  moon: "M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z",
  auto: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  close: "M6 6l12 12M18 6L6 18",
  refresh: "M20 11a8 8 0 1 0-2.3 6.2M20 5v6h-6",
  copy: "M9 9h10v11H9zM5 15V4h10",
  check: "M5 12.5l4.5 4.5L19 7.5",
  cross: "M7 7l10 10M17 7L7 17",
  pause: "M8 5v14M16 5v14",
  play: "M8 5l11 7-11 7z",
};

/** Creates an icon, which is hidden from screen readers: its button has a label. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** Replaces the content of an element. */
export function fill(element, ...children) {
  element.replaceChildren(...present(children));
  return element;
}

/** Creates a labelled field of a form. */
export function field(label, input, hint) {
  const id = input.id || `f${++serial}`;
  input.id = id;
  const parts = [h("label", { for: id }, label), input];
  if (hint) {
    input.setAttribute("aria-describedby", `${id}-hint`);
    parts.push(h("p", { class: "hint", id: `${id}-hint` }, hint));
  }
  return h("div", { class: "field" }, parts);
}
let serial = 0;

/** Creates an alert for a failure. */
export function failure(error) {
  return h("div", { class: "failure", role: "alert" }, h("strong", {}, error.title ?? "The request failed"), h("p", {}, error.message));
}

/** Shows a short message that disappears after four seconds. */
export function toast(text) {
  const message = h("div", { class: "toast" }, text);
  document.getElementById("toasts").append(message);
  setTimeout(() => message.remove(), 4000);
}

/** Copies a text to the clipboard, if the browser allows it. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    toast("Copied");
  } catch {
    toast("The browser does not allow this page to copy: select the text instead");
  }
}

/** Returns a function that calls back once it has not been called for some milliseconds. */
export function debounced(callback, milliseconds = 180) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => callback(...args), milliseconds);
  };
}
