// Live decisions, newest first, limited in number.

import { events } from "/ui/api.js";
import { column } from "/ui/columns.js";
import { debounced, failure, field, fill, h, icon } from "/ui/dom.js";

const MOST = 500;

export class LiveView {
  constructor(server, openWhy) {
    this.server = server;
    this.openWhy = openWhy;
    this.kept = [];
    this.counts = { allowed: 0, refused: 0, dropped: 0 };
    this.paused = false;
  }

  title() {
    return "Live";
  }

  render() {
    this.match = h("input", { type: "search", name: "match", placeholder: "user, resource, reason", autocomplete: "off", spellcheck: "false", maxlength: "253" });
    this.match.addEventListener("input", debounced(() => this.draw()));
    this.only = h("select", { name: "only" }, h("option", { value: "" }, "all"), h("option", { value: "yes" }, "allowed"), h("option", { value: "no" }, "refused"));
    this.only.addEventListener("change", () => this.draw());
    this.pause = h("button", { type: "button", class: "quiet push", "aria-pressed": "false", onclick: () => this.toggle() }, icon("pause"), "Pause");
    this.status = h("p", { class: "status", role: "status" });
    this.body = h("tbody", {});
    this.problem = h("div", {});
    this.draw = this.draw.bind(this);
    this.plan = debounced(this.draw, 100);
    this.follow();
    return h(
      "section",
      { class: "live" },
      h("div", { class: "toolbar" }, field("Filter", this.match), field("Decisions", this.only), this.pause),
      this.problem,
      h(
        "div",
        { class: "table-frame" },
        h(
          "table",
          {},
          h("caption", { class: "hidden" }, "Decisions, newest first"),
          h("thead", {}, h("tr", {}, ["Time", "Decision", "User", "Request", "Namespace", "Reason", ""].map((text) => h("th", { scope: "col" }, text || h("span", { class: "hidden" }, "Why"))))),
          this.body,
        ),
      ),
      h("div", { class: "below" }, this.status),
    );
  }

  toggle() {
    this.paused = !this.paused;
    this.pause.setAttribute("aria-pressed", String(this.paused));
    fill(this.pause, icon(this.paused ? "play" : "pause"), this.paused ? "Resume" : "Pause");
    this.draw();
  }

  async follow() {
    this.say("Connecting …");
    try {
      setTimeout(() => this.say(), 400);
      await events("/decisions", (name, data) => this.received(name, data), undefined);
      this.stopped({ title: "The stream has ended", message: "the server ended it, for instance to restart" });
    } catch (error) {
      this.stopped(error);
    }
  }

  stopped(error) {
    const shown = error.code === 404 ? { title: "No live decisions", message: "this server does not publish its decisions" } : error;
    fill(this.problem, failure(shown), error.code === 404 ? null : h("div", { class: "buttons" }, h("button", { type: "button", onclick: () => { fill(this.problem); this.follow(); } }, "Reconnect")));
    this.over = true;
    this.say("");
  }

  received(name, data) {
    if (name === "dropped") {
      this.counts.dropped += Number(data) || 0;
    } else {
      const decision = JSON.parse(data);
      this.counts[decision.allowed ? "allowed" : "refused"]++;
      this.kept.unshift(decision);
      if (this.kept.length > MOST) this.kept.length = MOST;
    }
    if (!this.paused) this.plan();
  }

  say(text) {
    const { allowed, refused, dropped } = this.counts;
    this.status.textContent = text ?? `${allowed} allowed, ${refused} refused since this view was opened${dropped ? `, ${dropped} more not shown` : ""}${this.paused ? "; paused" : ""}`;
  }

  draw() {
    const wanted = this.match.value.trim().toLowerCase();
    const only = this.only.value;
    const shown = this.kept.filter((one) => (only === "" || (only === "yes") === one.allowed) && (!wanted || JSON.stringify(one).toLowerCase().includes(wanted)));
    fill(
      this.body,
      shown.slice(0, MOST).map((one) => (one.row ??= this.row(one))),
      shown.length ? null : h("tr", {}, h("td", { colspan: "7", class: "empty" }, "No decisions yet. They are shown as they are made.")),
    );
    this.say();
  }

  row(one) {
    const { user = "", groups = [], resourceAttributes: resource, nonResourceAttributes: path } = one.spec;
    const requested = path ? { path: path.path, label: path.path } : { ...column(resource.group ?? "", resource.resource ?? "", resource.subresource ?? ""), name: resource.name ?? "" };
    const verb = (path ?? resource).verb ?? "";
    const access = { subject: user || groups.join(", "), user, groups, namespace: resource?.namespace ?? "", column: requested, verb, allowed: one.allowed ? [verb] : [] };
    const verdict = one.error ? "failed" : one.allowed ? "allowed" : "refused";
    return h(
      "tr",
      {},
      h("td", { class: "time" }, one.time.slice(11, 23)),
      h("td", {}, h("span", { class: `tag ${one.allowed ? "good" : "bad"}` }, verdict)),
      h("td", { title: groups.join(", ") }, access.subject),
      h("td", {}, h("b", {}, verb), " ", requested.label, requested.name ? ` ${requested.name}` : ""),
      h("td", {}, resource?.namespace ?? ""),
      h("td", { class: "reason", title: one.error || one.reason }, one.error || one.reason),
      h("td", {}, h("button", { type: "button", class: "link", "aria-label": `Why was ${access.subject} ${verdict} to ${verb} ${requested.label}?`, onclick: (event) => this.openWhy(access, event.currentTarget) }, "Why")),
    );
  }
}
