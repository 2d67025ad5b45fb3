// Verbs of a cell, in the order and with the letters of "plat matrix".

export const VERBS = [
  { word: "get", letter: "g", reads: true },
  { word: "list", letter: "l", reads: true },
  { word: "watch", letter: "w", reads: true },
  { word: "create", letter: "c" },
  { word: "update", letter: "u" },
  { word: "patch", letter: "p" },
  { word: "delete", letter: "d" },
  { word: "deletecollection", letter: "D" },
];

export const WORDS = VERBS.map((verb) => verb.word);
export const EVERY = (1 << VERBS.length) - 1;
export const READING = VERBS.reduce((mask, verb, bit) => (verb.reads ? mask | (1 << bit) : mask), 0);

const TEXTS = new Map();

/** Returns the letters of a cell, a dot for each denied verb. */
export function letters(mask) {
  let text = TEXTS.get(mask);
  if (text === undefined) {
    text = mask === 0 ? "" : VERBS.map((verb, bit) => (mask & (1 << bit) ? verb.letter : "·")).join("");
    TEXTS.set(mask, text);
  }
  return text;
}

/** Returns the CSS class of a cell by its access. */
export function level(mask, requested = EVERY) {
  if (mask === 0) return "none";
  if (mask === requested && (mask & ~READING) !== 0) return "all";
  return (mask & ~READING) === 0 ? "read" : "write";
}

/** Returns the verbs of a cell. */
export function words(mask) {
  return VERBS.filter((verb, bit) => mask & (1 << bit)).map((verb) => verb.word);
}
