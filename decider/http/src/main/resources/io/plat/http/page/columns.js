// The resources of a server: by its discovery, or the built-in ones where it has none, as a decider.

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

/** A column that a user typed: pods, deployments.apps, pods/log, deployments.apps/scale or /metrics. */
export function parse(typed) {
  const text = typed.trim();
  if (!text) return null;
  if (text.startsWith("/")) return { path: text, label: text };
  const [name, subresource = ""] = text.split("/", 2);
  const dot = name.indexOf(".");
  const resource = dot < 0 ? name : name.slice(0, dot);
  return column(dot < 0 ? "" : name.slice(dot + 1), resource, subresource);
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

/** Every known resource; subresources follow their resource. */
export async function resources() {
  try {
    const [core, named] = await Promise.all([get("/api", AGGREGATED), get("/apis", AGGREGATED)]);
    const groups = [...(core.items ?? []), ...(named.items ?? [])];
    const aliases = new Set(groups.map((item) => item.metadata?.name ?? "").filter((name) => name.endsWith(".k8s.io")));
    // A group that has another name besides is one group: one column each is enough.
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

/** The names of namespaces, where the viewer may list them. */
export async function namespaces() {
  try {
    const list = await get("/api/v1/namespaces?limit=500");
    return (list.items ?? []).map((item) => item.metadata.name);
  } catch {
    // They can be typed as well.
    return [];
  }
}
