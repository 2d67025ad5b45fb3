// Access of subjects to resources, as a table.

import { ask } from "/ui/api.js";
import { closest, parse } from "/ui/columns.js";
import { debounced, failure, field, fill, h, icon, shown } from "/ui/dom.js";
import { Grid } from "/ui/grid.js";
import { VERBS, WORDS, letters, level, words } from "/ui/verbs.js";
import { subjectText, subjectUser } from "/ui/subjects.js";

const NARROW = matchMedia("(max-width: 760px)").matches;
const LOOK = { rowHeight: 30, cellWidth: 66, headWidth: NARROW ? 150 : 268, headHeight: 148 };
const MOST_SUBJECTS = 2000;
const KINDS = { User: "user", Group: "group", ServiceAccount: "account" };

export class MatrixView {
  constructor(server, openWhy) {
    this.server = server;
    this.openWhy = openWhy;
    this.answer = null;
    this.extra = [];
    this.chosen = new Set(WORDS);
    this.hideParts = true;
    this.hideEmpty = true;
  }

  title() {
    return "Matrix";
  }

  render() {
    this.namespace = h("input", { type: "text", name: "namespace", list: "namespaces", placeholder: "any namespace", autocomplete: "off", spellcheck: "false", maxlength: "253" });
    this.namespace.addEventListener("change", () => this.load());
    this.everywhere = h("input", { type: "checkbox", name: "everywhere" });
    this.everywhere.addEventListener("change", () => this.load());
    this.subjects = h("input", { type: "search", name: "subjects", placeholder: "name", autocomplete: "off", spellcheck: "false", maxlength: "253" });
    this.subjects.addEventListener("input", debounced(() => this.filter()));
    this.resources = h("input", { type: "search", name: "resources", placeholder: "pods, .apps", autocomplete: "off", spellcheck: "false", maxlength: "253" });
    this.resources.addEventListener("input", debounced(() => this.filter()));
    this.resources.addEventListener("keydown", (event) => event.key === "Enter" && this.addColumn());
    this.status = h("p", { class: "status", role: "status" });
    this.host = h("div", { class: "grid", id: "matrix" });
    this.element = h(
      "section",
      { class: "matrix" },
      h(
        "div",
        { class: "toolbar" },
        field("Namespace", this.namespace),
        field("Subjects", this.subjects),
        field("Resources", this.resources),
        this.verbChoice(),
        h("div", { class: "field checks" }, h("label", { class: "check" }, this.everywhere, "Only access in all namespaces at once"), this.check("Subresources", false, (on) => (this.hideParts = !on)), this.check("Empty rows and columns", false, (on) => (this.hideEmpty = !on))),
        h("button", { type: "button", class: "icon-button", "aria-label": "Refresh", title: "Refresh", onclick: () => this.load() }, icon("refresh")),
      ),
      h("div", { class: "grid-frame" }, this.host),
      h("div", { class: "below" }, this.status, legend()),
    );
    this.grid = new Grid(this.host, LOOK, (row, column) => this.open(row, column));
    fill(this.grid.corner, h("span", {}, "Subject"));
    this.load();
    return this.element;
  }

  verbChoice() {
    const buttons = VERBS.map((verb) =>
      h(
        "button",
        {
          type: "button",
          class: "chip",
          "aria-pressed": "true",
          title: verb.word,
          onclick: (event) => {
            const on = !this.chosen.has(verb.word);
            if (on) this.chosen.add(verb.word);
            else this.chosen.delete(verb.word);
            event.currentTarget.setAttribute("aria-pressed", String(on));
            this.filter();
          },
        },
        h("span", { class: "letter", "aria-hidden": "true" }, verb.letter),
        verb.word,
      ),
    );
    return h("div", { class: "field verbs", role: "group", "aria-label": "Verbs" }, h("span", { class: "label" }, "Verbs"), h("div", { class: "chips" }, buttons));
  }

  check(label, on, change) {
    const box = h("input", { type: "checkbox" });
    box.checked = on;
    box.addEventListener("change", () => {
      change(box.checked);
      this.filter();
    });
    return h("label", { class: "check" }, box, label);
  }

  /** Returns whether access in any single namespace is shown. */
  any() {
    return !this.namespace.value.trim() && !this.everywhere.checked;
  }

  /** Returns the namespace of a cell's access: the requested one, or the first with access that is not granted in all. */
  place(row, one) {
    return one.path ? "" : this.namespace.value.trim() || (row.namespaces?.[one.index] ?? "");
  }

  addColumn() {
    const typed = parse(this.resources.value);
    if (!typed || this.columns().some((one) => one.label === typed.label)) return;
    this.extra.push(typed);
    this.load();
  }

  columns() {
    return [...this.server.columns, ...this.extra];
  }

  async load() {
    this.running?.abort();
    this.running = new AbortController();
    const requested = this.columns();
    this.host.setAttribute("aria-busy", "true");
    this.say("Loading …");
    try {
      const status = await ask(
        "accessmatrices",
        {
          namespace: this.namespace.value.trim(),
          anyNamespace: this.any(),
          verbs: WORDS,
          resources: requested.filter((one) => !one.path).map(({ group, resource, subresource }) => ({ group, resource, subresource })),
          paths: requested.filter((one) => one.path).map((one) => one.path),
          limit: MOST_SUBJECTS,
        },
        this.running.signal,
      );
      this.answer = { columns: [...requested.filter((one) => !one.path), ...requested.filter((one) => one.path)], ...status };
      this.fail(null);
      this.filter();
    } catch (error) {
      if (error.name === "AbortError") return;
      this.fail(error);
    } finally {
      this.host.removeAttribute("aria-busy");
    }
  }

  fail(error) {
    this.shownFailure?.remove();
    this.shownFailure = null;
    this.host.hidden = error !== null;
    if (error) {
      this.say("");
      this.shownFailure = failure(error);
      this.host.before(this.shownFailure);
    }
  }

  say(text) {
    this.status.textContent = text;
  }

  /** Selects the rows and columns of the response to show. */
  filter() {
    if (!this.answer) return;
    const mask = VERBS.reduce((all, verb, bit) => (this.chosen.has(verb.word) ? all | (1 << bit) : all), 0);
    const wantedResource = this.resources.value.trim().toLowerCase();
    const wantedSubject = this.subjects.value.trim().toLowerCase();
    let columns = this.answer.columns
      .map((one, index) => ({ ...one, index }))
      .filter((one) => (!this.hideParts || !one.subresource || wantedResource.includes("/")) && one.label.toLowerCase().includes(wantedResource));
    let rows = this.answer.rows.filter((row) => subjectText(row).toLowerCase().includes(wantedSubject));
    if (this.hideEmpty) {
      rows = rows.filter((row) => columns.some((one) => row.allowed[one.index] & mask));
      const used = new Set();
      rows.forEach((row) => columns.forEach((one) => row.allowed[one.index] & mask && used.add(one.index)));
      columns = columns.filter((one) => used.has(one.index) || this.extra.some((typed) => typed.label === one.label));
    }
    this.show(rows, columns, mask);
  }

  show(rows, columns, mask) {
    this.shown = { rows, columns };
    const name = this.namespace.value.trim();
    const where = name ? `in ${name}` : this.any() ? "in any namespace" : "in all namespaces at once";
    this.grid.show(
      {
        rows: rows.length,
        columns: columns.length,
        rowHead: (element, r) => rowHead(element, rows[r]),
        columnHead: (element, c) => columnHead(element, columns[c]),
        cell: (element, r, c) => {
          const allowed = rows[r].allowed[columns[c].index] & mask;
          element.className = `cell ${level(allowed, mask)}`;
          element.textContent = letters(allowed);
          element.removeAttribute("aria-label");
        },
        describe: (r, c) => {
          const allowed = words(rows[r].allowed[columns[c].index] & mask);
          const place = this.place(rows[r], columns[c]);
          return `${subjectText(rows[r])}, ${columns[c].label}: ${allowed.length ? allowed.join(", ") : "nothing"}${place ? ` in ${place}` : ""}. Enter shows why`;
        },
      },
      `Access ${where}: subjects against resources`,
    );
    const more = this.answer.rowsLeftOut ? `, ${this.answer.rowsLeftOut} more left out` : "";
    const unseen = (this.answer.unexplained ?? []).map((one) => `${one.authorizer}: ${one.reason}`).join("; ");
    this.say(`${rows.length} subjects${more} by ${columns.length} resources, ${where}${rows.length ? "" : `: ${this.nothing()}`}${unseen ? `. Not seen: ${unseen}` : ""}`);
  }

  /** Returns a hint for an empty table. */
  nothing() {
    const typed = this.namespace.value.trim();
    const near = closest(typed, this.server.namespaces);
    if (near) return `did you mean the namespace ${near}?`;
    if (this.subjects.value.trim() || this.resources.value.trim() || this.chosen.size < WORDS.length) return "no subject matches; clear the filters to see all";
    return "the policy grants nothing here; “Can I?” checks one request";
  }

  open(r, c) {
    const row = this.shown.rows[r];
    const one = this.shown.columns[c];
    this.openWhy(
      {
        subject: subjectText(row),
        ...subjectUser(row),
        namespace: this.place(row, one),
        column: one,
        allowed: words(row.allowed[one.index]),
      },
      this.host,
    );
  }
}

function rowHead(element, row) {
  const kind = row.everybody ? "everybody" : KINDS[row.kind];
  fill(element, h("span", { class: `kind ${kind}` }, row.everybody ? "all" : kind === "account" ? "sa" : kind), h("span", { class: "name" }, subjectText(row)));
  element.title = shown(subjectText(row));
}

function columnHead(element, one) {
  fill(
    element,
    h("span", { class: "slant" }, h("b", {}, one.path ?? one.resource), one.subresource ? `/${one.subresource}` : null, one.group ? h("i", {}, one.group) : null),
  );
  element.title = shown(one.label);
}

function legend() {
  const sample = (name, text, letters) => h("li", {}, h("span", { class: `cell sample ${name}`, "aria-hidden": "true" }, letters), text);
  return h("ul", { class: "legend", "aria-label": "Legend" }, sample("read", "reads", "glw"), sample("write", "writes some", "c·p"), sample("all", "everything", "all"), sample("none", "nothing", ""));
}
