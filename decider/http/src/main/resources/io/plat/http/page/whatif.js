// Comparison of an edited policy with the policy in effect. Nothing is changed on the server.

import { ask } from "/ui/api.js";
import { failure, field, fill, h } from "/ui/dom.js";
import { subjectText } from "/ui/subjects.js";

const MOST = 256 * 1024;
const MOST_SHOWN = 400;
const FORMS = { manifests: "RBAC objects", lines: "Policy lines" };

export class WhatIfView {
  constructor(server) {
    this.server = server;
    this.texts = { manifests: "", lines: "" };
    this.form = "manifests";
  }

  title() {
    return "What if";
  }

  render() {
    this.editor = h("textarea", { class: "editor", name: "policy", spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off", maxlength: String(MOST) });
    this.editor.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.compare();
    });
    this.choice = h(
      "div",
      { class: "chips", role: "radiogroup", "aria-label": "Form of the policy" },
      Object.entries(FORMS).map(([form, text]) => h("button", { type: "button", role: "radio", class: "chip", "data-form": form, onclick: () => this.choose(form) }, text)),
    );
    this.match = h("input", { type: "search", name: "load", placeholder: "any text", autocomplete: "off", spellcheck: "false", maxlength: "253" });
    this.whole = h("input", { type: "checkbox" });
    this.wholeLabel = h("label", { class: "check" }, this.whole, "Replace the whole policy");
    this.result = h("div", { class: "result", role: "status" }, intro());
    this.element = h(
      "section",
      { class: "what-if" },
      h(
        "div",
        { class: "edit" },
        h("div", { class: "toolbar" }, this.choice, h("form", { class: "load", onsubmit: (event) => { event.preventDefault(); this.load(); } }, field("Objects that contain", this.match), h("button", { type: "submit", class: "quiet" }, "Load"))),
        field("Edited policy", this.editor),
        h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => this.compare() }, "Compare"), this.wholeLabel, h("span", { class: "hint" }, "Ctrl+Enter compares. Nothing is changed on the server.")),
      ),
      this.result,
    );
    this.choose(this.form);
    return this.element;
  }

  /** Offers a grant for editing and comparison. */
  offer(suggestion) {
    const form = suggestion.authorizer === "ABAC" ? "lines" : "manifests";
    if (form === "lines") {
      this.pending = async () => {
        this.match.value = "";
        await this.load();
        this.editor.value = `${this.editor.value.trimEnd()}\n${suggestion.text.trim()}\n`;
      };
    } else {
      this.pending = () => {
        this.whole.checked = false;
        this.editor.value = suggestion.text;
      };
    }
    this.choose(form);
    this.shown();
  }

  async shown() {
    if (!this.pending || !this.editor) return;
    const apply = this.pending;
    this.pending = null;
    await apply();
    this.compare();
  }

  choose(form) {
    if (this.editor && this.form !== form) this.texts[this.form] = this.editor.value;
    if (!this.editor) {
      this.form = form;
      return;
    }
    if (this.form !== form) this.editor.value = this.texts[form];
    this.form = form;
    for (const chip of this.choice.children) chip.setAttribute("aria-checked", String(chip.dataset.form === form));
    this.wholeLabel.hidden = form === "lines";
    this.editor.placeholder = form === "lines" ? "The complete edited policy file, one policy per line" : "Roles and bindings to apply, as YAML";
  }

  async load() {
    try {
      const status = await ask("policytexts", { match: this.match.value.trim() });
      const text = status[this.form];
      if (text === undefined) {
        fill(this.result, failure({ title: "No such policy", message: `no authorization mode of this server uses ${FORMS[this.form].toLowerCase()}${unseen(status)}` }));
        return;
      }
      this.editor.value = text;
      const more = status[`${this.form}LeftOut`];
      fill(this.result, more ? failure({ title: "Incomplete", message: `${more} more exceed the limit: load fewer objects with a filter` }) : h("p", { class: "hint" }, "This is the policy in effect. Edit it and compare."));
    } catch (error) {
      fill(this.result, failure(error));
    }
    this.editor.focus();
  }

  async compare() {
    this.running?.abort();
    this.running = new AbortController();
    fill(this.result, h("p", { class: "hint" }, "Comparing …"));
    const spec = this.form === "lines" ? { lines: this.editor.value } : { manifests: this.editor.value, whole: this.whole.checked };
    try {
      fill(this.result, report(await ask("accesschanges", spec, this.running.signal)));
    } catch (error) {
      if (error.name === "AbortError") return;
      fill(this.result, failure(error.causes?.length > 1 ? { title: error.title, message: error.causes.join("\n") } : error));
    }
  }
}

function intro() {
  return h(
    "div",
    { class: "intro" },
    h("h2", {}, "See what a change grants and revokes"),
    h("p", {}, "Write roles and bindings to apply, or load those in effect and edit them. The server compares both policies exactly, including wildcards, and reports all access that any subject would gain or lose."),
  );
}

function unseen(status) {
  return status.unexplained?.length ? `. Not seen: ${status.unexplained.map((one) => `${one.authorizer}: ${one.reason}`).join("; ")}` : "";
}

function report(status) {
  const nothing = status.granted.length === 0 && status.revoked.length === 0;
  const missing = unseen(status);
  return [
    nothing ? h("div", { class: "verdict same" }, h("div", {}, h("strong", {}, "No access is granted or revoked"), h("p", {}, "Every request has the same decision as now."))) : null,
    direction("Granted", "+", "yes", status.granted, status.grantedLeftOut),
    direction("Revoked", "−", "no", status.revoked, status.revokedLeftOut),
    status.warnings?.length ? h("p", { class: "hint" }, status.warnings.join("; ")) : null,
    missing ? h("p", { class: "hint" }, missing.slice(2)) : null,
  ];
}

/** Creates the rows by subject, as in "plat diff". */
function direction(title, sign, look, rows, leftOut) {
  if (rows.length === 0) return null;
  const bySubject = new Map();
  for (const row of rows.slice(0, MOST_SHOWN)) {
    const name = subjectText(row.subject);
    if (!bySubject.has(name)) bySubject.set(name, []);
    bySubject.get(name).push(row);
  }
  const more = (leftOut ?? 0) + Math.max(0, rows.length - MOST_SHOWN);
  return h(
    "section",
    { class: `direction ${look}` },
    h("h2", {}, h("span", { class: "sign", "aria-hidden": "true" }, sign), title, h("span", { class: "count" }, String(rows.length + (leftOut ?? 0)))),
    [...bySubject].map(([name, ofSubject]) =>
      h(
        "div",
        { class: "changed" },
        h("p", { class: "source" }, h("span", { class: "tag" }, ofSubject[0].subject.everybody ? "everybody" : ofSubject[0].subject.kind), h("b", {}, name)),
        h("ul", {}, ofSubject.map((row) => h("li", {}, h("span", { class: "sign", "aria-hidden": "true" }, sign), row.text))),
      ),
    ),
    more ? h("p", { class: "hint" }, `and ${more} more`) : null,
  );
}
