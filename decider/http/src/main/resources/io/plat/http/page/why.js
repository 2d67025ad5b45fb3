// Explanation of a cell: its grants, or near misses and the smallest grant that would allow it.

import { ask } from "/ui/api.js";
import { copy, failure, fill, h, icon } from "/ui/dom.js";
import { VERBS } from "/ui/verbs.js";

/** Side panel with the explanation of one request; closing it restores the focus. */
export class WhyDrawer {
  constructor(element, tryGrant) {
    this.element = element;
    this.tryGrant = tryGrant;
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  close() {
    this.element.hidden = true;
    document.body.classList.remove("with-drawer");
    this.opener?.focus();
  }

  /** Opens the panel for an access: a subject, a column and the allowed verbs. */
  open(access, opener) {
    this.access = access;
    this.opener = opener;
    const verb = access.verb ?? access.allowed[0] ?? "get";
    this.content = h("div", { class: "why" });
    this.choices = h(
      "div",
      { class: "chips", role: "group", "aria-label": "Verb" },
      VERBS.map((one) =>
        h(
          "button",
          { type: "button", class: `chip ${access.allowed.includes(one.word) ? "yes" : "no"}`, "data-verb": one.word, onclick: () => this.ask(one.word) },
          icon(access.allowed.includes(one.word) ? "check" : "cross"),
          one.word,
          h("span", { class: "hidden" }, access.allowed.includes(one.word) ? " (allowed)" : " (not allowed)"),
        ),
      ),
    );
    const close = h("button", { type: "button", class: "icon-button", "aria-label": "Close", onclick: () => this.close() }, icon("close"));
    fill(
      this.element,
      h("div", { class: "drawer-head" }, h("h2", { id: "drawer-title", tabindex: "-1" }, access.subject, h("small", {}, `${access.column.label}${access.namespace ? ` in ${access.namespace}` : ""}`)), close),
      access.verb ? null : this.choices,
      this.content,
    );
    this.element.hidden = false;
    document.body.classList.add("with-drawer");
    this.element.querySelector("#drawer-title").focus();
    this.ask(verb);
  }

  async ask(verb) {
    for (const chip of this.choices.children) chip.setAttribute("aria-pressed", String(chip.dataset.verb === verb));
    fill(this.content, h("p", { class: "hint" }, "Loading …"));
    this.running?.abort();
    this.running = new AbortController();
    const { user, groups, namespace, column } = this.access;
    const spec = column.path
      ? { user, groups, nonResourceAttributes: { verb, path: column.path } }
      : { user, groups, resourceAttributes: { verb, namespace, group: column.group, resource: column.resource, subresource: column.subresource, name: column.name ?? "" } };
    try {
      fill(this.content, this.explained(verb, await ask("accessexplanations", spec, this.running.signal)));
    } catch (error) {
      if (error.name !== "AbortError") fill(this.content, failure(error));
    }
  }

  explained(verb, status) {
    const requested = (this.access.groups ?? []).join(", ");
    return [
      h("div", { class: `verdict ${status.allowed ? "yes" : "no"}` }, icon(status.allowed ? "check" : "cross"), h("div", {}, h("strong", {}, status.allowed ? `May ${verb}` : `May not ${verb}`), h("p", {}, status.reason ?? ""))),
      status.allowed ? grants("Granted by", status.grants, status.grantsLeftOut) : null,
      !status.allowed && status.nearMisses?.length ? grants("Nearest grants", status.nearMisses, status.nearMissesLeftOut) : null,
      status.suggestion ? this.suggestion(status.suggestion) : null,
      status.unexplained?.length ? h("p", { class: "hint" }, `Not seen: ${status.unexplained.map((one) => `${one.authorizer}: ${one.reason}`).join("; ")}`) : null,
      requested ? h("p", { class: "hint" }, `Checked with the groups ${requested}`) : null,
    ];
  }

  suggestion(suggestion) {
    if (!suggestion.text) return h("p", { class: "hint" }, suggestion.note);
    return h(
      "section",
      {},
      h("h3", {}, "The smallest grant that would allow it"),
      suggestion.note ? h("p", { class: "hint" }, suggestion.note) : null,
      h("pre", { tabindex: "0" }, suggestion.text),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", class: "quiet", onclick: () => copy(suggestion.text) }, icon("copy"), "Copy"),
        this.tryGrant ? h("button", { type: "button", onclick: () => this.tryGrant(suggestion) }, "Try it in What if") : null,
      ),
    );
  }
}

function grants(title, items, leftOut) {
  return h(
    "section",
    {},
    h("h3", {}, title),
    h(
      "ol",
      { class: "grants" },
      items.map((one) =>
        h(
          "li",
          {},
          h("p", { class: "source" }, h("span", { class: "tag" }, one.authorizer), one.source),
          h("code", {}, one.rule),
          one.lacks ? h("p", { class: "lacks" }, "does not match: ", one.lacks.map((lack) => h("span", { class: "tag warn" }, lack))) : null,
        ),
      ),
    ),
    leftOut ? h("p", { class: "hint" }, `and ${leftOut} more`) : null,
  );
}
