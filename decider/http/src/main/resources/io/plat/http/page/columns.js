// Resources of a server: from its discovery, or the built-in ones for a server without discovery, such as a decider.

import { get, Refused } from "/ui/api.js";
import { BUILT_IN } from "/ui/types.js";

const AGGREGATED = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
const MOST = 500;

/** A column: the requested access and its label. */
export function column(group, resource, subresource = "", namespaced = true) {
  return { group, resource, subresource, namespaced, label: label(group, resource, subresource) };
}

export function label(group, resource, subresource) {
  return resource + (group ? `.${group}` : "") + (subresource ? `/${subresource}` : "");
}

/** Parses a column that a user typed: pods, deployments.apps, pods/log, deployments.apps/scale or /metrics. */
export function parse(typed) {
  const text = typed.trim();
  if (!text) return null;
  if (text.startsWith("/")) return { path: text, label: text };
  const [name, subresource = ""] = text.split("/", 2);
  const dot = name.indexOf(".");
  const resource = dot < 0 ? name : name.slice(0, dot);
  return column(dot < 0 ? "" : name.slice(dot + 1), resource, subresource);
}

/** Returns the known name that is most similar to a typed one; null if the typed one is known, or similar to none. */
export function closest(typed, known) {
  if (!typed || known.includes(typed)) return null;
  const near = known.map((name) => ({ name, edits: edits(typed, name) })).filter((one) => one.edits <= (typed.length > 3 ? 2 : 1));
  return near.sort((a, b) => a.edits - b.edits)[0]?.name ?? null;
}

/** Returns the edit distance of two words; swapped neighbours count as one edit. */
function edits(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (none, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? rows[i - 2][j - 2] + 1 : Infinity;
      rows[i].push(Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + same, swapped));
    }
  }
  return rows[a.length][b.length];
}

function builtIn() {
  return BUILT_IN.flatMap(([resource, group, namespaced, parts]) => [
    column(group, resource, "", namespaced),
    ...parts
      .split(",")
      .filter(Boolean)
      .map((part) => column(group, resource, part, namespaced)),
  ]);
}

function ofGroup(item) {
  const found = new Map();
  for (const version of item.versions ?? []) {
    for (const type of version.resources ?? []) {
      const parts = ["", ...(type.subresources ?? []).map((part) => part.subresource)];
      for (const part of parts) {
        const one = column(item.metadata?.name ?? "", type.resource, part, type.scope === "Namespaced");
        if (!found.has(one.label)) found.set(one.label, one);
      }
    }
  }
  return [...found.values()];
}

/** Returns every known resource; subresources follow their resource. */
export async function resources() {
  try {
    const [core, named] = await Promise.all([get("/api", AGGREGATED), get("/apis", AGGREGATED)]);
    const groups = [...(core.items ?? []), ...(named.items ?? [])];
    const aliases = new Set(groups.map((item) => item.metadata?.name ?? "").filter((name) => name.endsWith(".k8s.io")));
    // A group and its alias are one group, and have one column per resource.
    const shown = groups.filter((item) => {
      const name = item.metadata?.name ?? "";
      return !(name.endsWith(".plat.io") && aliases.has(name.replace(/\.plat\.io$/, ".k8s.io")));
    });
    const found = shown.flatMap(ofGroup);
    if (found.length > 0) return found.slice(0, MOST);
  } catch (error) {
    if (!(error instanceof Refused) || error.code === 0 || error.code === 401) throw error;
  }
  return builtIn();
}

/** Returns the names of namespaces; none if the user may not list them. */
export async function namespaces() {
  try {
    const list = await get("/api/v1/namespaces?limit=500");
    return (list.items ?? []).map((item) => item.metadata.name);
  } catch {
    // A namespace can be typed too.
    return [];
  }
}
