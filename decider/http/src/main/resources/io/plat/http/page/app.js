// The page: the signed-in user and the current view.

import { Refused, hasToken, signInWith, whoAmI } from "/ui/api.js";
import { CanIView } from "/ui/cani.js";
import { namespaces, resources } from "/ui/columns.js";
import { failure, field, fill, h } from "/ui/dom.js";
import { LiveView } from "/ui/live.js";
import { MatrixView } from "/ui/matrix.js";
import { themeSwitch } from "/ui/theme.js";
import { WhatIfView } from "/ui/whatif.js";
import { WhyDrawer } from "/ui/why.js";

const main = document.getElementById("main");
const tabs = document.getElementById("tabs");
const who = document.getElementById("who");
const identity = document.getElementById("identity");
const server = { user: null, columns: [], namespaces: [] };
const drawer = new WhyDrawer(document.getElementById("drawer"), (suggestion) => {
  drawer.opener = null;
  drawer.close();
  view("what-if").one.offer(suggestion);
  location.hash = "what-if";
});
const openWhy = (access, opener) => drawer.open(access, opener);

const VIEWS = {
  matrix: () => new MatrixView(server, openWhy),
  "can-i": () => new CanIView(server, openWhy),
  live: () => new LiveView(server, openWhy),
  "what-if": () => new WhatIfView(server),
};

const made = new Map();

function view(name) {
  if (!made.has(name)) {
    const one = VIEWS[name]();
    made.set(name, { one, panel: h("div", { class: "panel", role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}` }, one.render()) });
  }
  return made.get(name);
}

function showView(name) {
  const chosen = VIEWS[name] ? name : "matrix";
  const { one, panel } = view(chosen);
  for (const tab of tabs.children) {
    const selected = tab.dataset.view === chosen;
    tab.setAttribute("aria-selected", String(selected));
    tab.tabIndex = selected ? 0 : -1;
  }
  fill(main, panel);
  document.title = `${one.title()} · Access`;
}

function tabList() {
  const names = Object.keys(VIEWS);
  const titles = { matrix: "Matrix", "can-i": "Can I?", live: "Live", "what-if": "What if" };
  fill(
    tabs,
    names.map((name) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${name}`,
          "data-view": name,
          "aria-controls": `panel-${name}`,
          onclick: () => (location.hash = name),
          onkeydown: (event) => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            if (!step) return;
            const next = names[(names.indexOf(name) + step + names.length) % names.length];
            location.hash = next;
            document.getElementById(`tab-${next}`).focus();
          },
        },
        titles[name],
      ),
    ),
  );
}

function showIdentity() {
  const user = server.user;
  fill(who, h("span", { class: "hidden" }, "Signed in as "), h("span", { class: "dot" }), user.username);
  who.hidden = false;
  const anonymous = (user.groups ?? []).includes("system:unauthenticated");
  fill(
    identity,
    h("dl", {}, h("dt", {}, "User"), h("dd", {}, user.username), h("dt", {}, "Groups"), h("dd", {}, (user.groups ?? []).map((group) => h("span", { class: "tag" }, group))), h("dt", {}, "Authenticated by"), h("dd", {}, hasToken() ? "your token, which is only in this page’s memory" : anonymous ? "nothing: you are anonymous" : "the client certificate of this browser, or a front proxy")),
    hasToken() ? h("button", { type: "button", class: "quiet", onclick: () => location.reload() }, "Sign out") : h("button", { type: "button", class: "quiet", onclick: () => signIn() }, "Sign in with a token"),
  );
}

who.addEventListener("click", () => {
  identity.hidden = !identity.hidden;
  who.setAttribute("aria-expanded", String(!identity.hidden));
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !identity.hidden) who.click();
});

function signIn(error) {
  identity.hidden = true;
  who.setAttribute("aria-expanded", "false");
  fill(tabs);
  const token = h("input", { type: "password", name: "token", autocomplete: "off", spellcheck: "false", required: true, maxlength: "16384" });
  fill(
    main,
    h(
      "form",
      {
        class: "card sign-in",
        onsubmit: (event) => {
          event.preventDefault();
          signInWith(token.value);
          begin();
        },
      },
      h("h2", {}, "Sign in"),
      h("p", {}, "This server could not authenticate you. Enter a bearer token, such as one from “kubectl create token NAME”, or use a client certificate."),
      error ? failure(error) : null,
      field("Token", token, "It stays in this page’s memory until you leave or reload the page."),
      h("div", { class: "buttons" }, h("button", { type: "submit" }, "Sign in")),
    ),
  );
  document.title = "Sign in · Access";
  token.focus();
}

async function begin() {
  made.clear();
  who.hidden = true;
  fill(main, h("p", { class: "loading", role: "status" }, "Authenticating …"));
  try {
    server.user = await whoAmI();
    [server.columns, server.namespaces] = await Promise.all([resources(), namespaces()]);
  } catch (error) {
    if (error instanceof Refused && (error.code === 401 || error.code === 403)) signIn(hasToken() || (error.code === 403 && !error.message.includes("system:anonymous")) ? error : null);
    else fill(main, failure(error), h("div", { class: "buttons" }, h("button", { type: "button", onclick: begin }, "Try again")));
    return;
  }
  document.getElementById("namespaces")?.remove();
  document.body.append(h("datalist", { id: "namespaces" }, server.namespaces.map((name) => h("option", { value: name }))));
  showIdentity();
  tabList();
  showView(location.hash.slice(1));
}

document.getElementById("host").textContent = location.host;
themeSwitch(document.getElementById("theme"));
addEventListener("hashchange", () => server.user && showView(location.hash.slice(1)));
begin();
