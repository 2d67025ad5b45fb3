// "Can I?": checks one request, of the signed-in user or of another one.

import { ask } from "/ui/api.js";
import { closest, parse } from "/ui/columns.js";
import { failure, field, fill, h, icon } from "/ui/dom.js";
import { withGroups } from "/ui/subjects.js";
import { WORDS } from "/ui/verbs.js";

export class CanIView {
  constructor(server, openWhy) {
    this.server = server;
    this.openWhy = openWhy;
  }

  title() {
    return "Can I?";
  }

  render() {
    const text = (name, attributes) => h("input", { type: "text", name, autocomplete: "off", spellcheck: "false", maxlength: "512", ...attributes });
    this.verb = text("verb", { list: "verbs", required: true, value: "get" });
    this.resource = text("resource", { list: "resources", required: true, placeholder: "pods, pods/log, deployments.apps, /metrics" });
    this.object = text("name", { placeholder: "any" });
    this.namespace = text("namespace", { list: "namespaces", placeholder: "all" });
    this.user = text("user", { placeholder: this.server.user?.username ?? "me" });
    this.groups = text("groups", { placeholder: "developers, auditors" });
    this.result = h("div", { class: "result", role: "status" });
    const form = h(
      "form",
      { class: "card", novalidate: true, onsubmit: (event) => this.submit(event) },
      h("h2", {}, "Check one request"),
      h("div", { class: "columns" }, field("Verb", this.verb), field("Resource or path", this.resource), field("Name", this.object), field("Namespace", this.namespace)),
      h("fieldset", {}, h("legend", {}, "Subject"), h("div", { class: "columns" }, field("User", this.user, "You, if empty."), field("Groups", this.groups, "The groups of every authenticated user are added."))),
      h("div", { class: "buttons" }, h("button", { type: "submit" }, "Check")),
    );
    const lists = [
      h("datalist", { id: "verbs" }, [...WORDS, "*", "bind", "escalate", "impersonate", "use"].map((word) => h("option", { value: word }))),
      h("datalist", { id: "resources" }, this.server.columns.map((one) => h("option", { value: one.label }))),
    ];
    return h("section", { class: "cani" }, form, this.result, lists);
  }

  async submit(event) {
    event.preventDefault();
    const column = parse(this.resource.value);
    const verb = this.verb.value.trim();
    if (!column || !verb) {
      const missing = column ? this.verb : this.resource;
      fill(this.result, failure({ title: "A field is required", message: column ? "enter a verb, such as get" : "enter a resource, such as pods, or a path that begins with a slash" }));
      missing.focus();
      return;
    }
    column.name = this.object.value.trim();
    const namespace = column.path ? "" : this.namespace.value.trim();
    const groups = this.groups.value.split(",").map((group) => group.trim()).filter(Boolean);
    const user = this.user.value.trim();
    const self = !user && groups.length === 0;
    const attributes = column.path
      ? { nonResourceAttributes: { verb, path: column.path } }
      : { resourceAttributes: { verb, namespace, group: column.group, resource: column.resource, subresource: column.subresource, name: column.name } };
    const subject = self ? { user: this.server.user.username, groups: this.server.user.groups ?? [] } : withGroups(user, ...groups);
    fill(this.result, h("p", { class: "hint" }, "Checking …"));
    try {
      const status = self ? await ask("selfsubjectaccessreviews", attributes) : await ask("subjectaccessreviews", { ...subject, ...attributes });
      const who = self ? "You" : user || groups.join(", ");
      const access = { subject: self ? this.server.user.username : who, ...subject, namespace, column, verb, allowed: status.allowed ? [verb] : [] };
      fill(
        this.result,
        h(
          "div",
          { class: `card verdict large ${status.allowed ? "yes" : "no"}` },
          icon(status.allowed ? "check" : "cross"),
          h("div", {}, h("strong", {}, status.allowed ? "Yes" : "No"), h("p", {}, `${who} may ${status.allowed ? "" : "not "}${verb} ${column.label}${column.name ? ` ${column.name}` : ""}${column.path ? "" : namespace ? ` in ${namespace}` : " in all namespaces"}`), status.reason ? h("p", { class: "hint" }, status.reason) : null, this.hints(verb, column, namespace)),
          h("button", { type: "button", class: "quiet push", onclick: (click) => this.openWhy(access, click.currentTarget) }, "Why?"),
        ),
      );
    } catch (error) {
      fill(this.result, failure(error));
    }
  }

  /** Returns hints at probable typos, like those of plat. */
  hints(verb, column, namespace) {
    const typed = [
      ["verb", verb, [...WORDS, "*", "bind", "escalate", "impersonate", "use", "approve", "sign"]],
      ["resource", column.path ? "" : column.label, this.server.columns.map((one) => one.label)],
      ["namespace", namespace, this.server.namespaces],
    ];
    return typed.map(([what, word, known]) => {
      const meant = closest(word, known);
      return meant ? h("p", { class: "hint typo" }, `Unknown ${what} “${word}”: did you mean “${meant}”?`) : null;
    });
  }
}
