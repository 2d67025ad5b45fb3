// Everything that a page can try against a server of another origin. Each function resolves to what the page learned; the test checks the
// effect on the server.
const settled = (promise) =>
  Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 8000, "timeout"))]).catch((e) => "blocked " + e.name);

const answer = async (response) => (response.type === "opaque" ? "opaque" : response.status);

const send = (url, options) => settled(fetch(url, { credentials: "include", ...options }).then(answer));

/** Bodies without a preflight, each of which contains JSON. */
const simpleBodies = {
  untyped: (text) => new Blob([text]),
  bytes: (text) => new TextEncoder().encode(text),
  text: (text) => text,
  urlencoded: (text) => new URLSearchParams(text),
  multipart: (text) => {
    const form = new FormData();
    form.append("object", text);
    return form;
  },
};

const element = (name, properties, until) =>
  settled(
    new Promise((resolve) => {
      const made = Object.assign(document.createElement(name), properties);
      made.onload = () => resolve("loaded");
      made.onerror = () => resolve("error");
      document.body.append(made);
    }),
  );

const form = (url, enctype, text) =>
  settled(
    new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.name = "frame" + Math.random();
      document.body.append(frame);
      const made = Object.assign(document.createElement("form"), { action: url, method: "POST", enctype, target: frame.name });
      const cut = text.lastIndexOf('"') + 1;
      // A text/plain form sends NAME=VALUE: the equals sign is inside a JSON string.
      const field = Object.assign(document.createElement("input"), { name: text.slice(0, cut - 1), value: text.slice(cut - 1) });
      made.append(field);
      document.body.append(made);
      frame.onload = () => resolve("loaded");
      made.submit();
    }),
  );

const webSocket = (url) =>
  settled(
    new Promise((resolve) => {
      const socket = new WebSocket(url.replace("https:", "wss:"));
      socket.onopen = () => resolve("open");
      socket.onerror = () => resolve("error");
    }),
  );

const eventSource = (url) =>
  settled(
    new Promise((resolve) => {
      const source = new EventSource(url, { withCredentials: true });
      source.onopen = () => { source.close(); resolve("open"); };
      source.onerror = () => { source.close(); resolve("error"); };
    }),
  );

/** A page with an opaque origin, which browsers send as "null". */
const sandboxed = (url, text) =>
  settled(
    new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.sandbox = "allow-scripts";
      addEventListener("message", () => resolve("sent"), { once: true });
      frame.srcdoc = `<script>
        fetch(${JSON.stringify(url)}, {method: "POST", mode: "no-cors", credentials: "include", body: new Blob([${JSON.stringify(text)}])})
          .finally(() => parent.postMessage("sent", "*"));
      </` + "script>";
      document.body.append(frame);
    }),
  );

/** Sends an object in every way, with the JSON text of a name; returns what the page learned from each. */
async function writes(url, text) {
  const learned = {};
  for (const [name, body] of Object.entries(simpleBodies)) {
    for (const mode of ["no-cors", "cors", "same-origin"]) {
      learned[`${mode} ${name}`] = await send(url, { method: "POST", mode, body: body(text(`${mode}-${name}`)) });
    }
    if (name !== "bytes") learned[`beacon ${name}`] = navigator.sendBeacon(url, body(text(`beacon-${name}`)));
  }
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const options = { method, body: text("preflight"), headers: { "Content-Type": "application/json" } };
    learned[`preflight ${method}`] = await send(url, { mode: "cors", ...options });
  }
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
    learned[`form ${type}`] = await form(url, type, text(`form-${type.replace(/[^a-z]/g, "-")}`));
  }
  learned.sandbox = await sandboxed(url, text("sandbox"));
  return learned;
}

/** Opens each stream in every way. */
async function streams(urls) {
  const learned = {};
  for (const url of urls) {
    learned[`socket ${url}`] = await webSocket(url);
    learned[`events ${url}`] = await eventSource(url);
    learned[`fetch ${url}`] = await send(url, { mode: "no-cors" });
    learned[`image ${url}`] = await element("img", { src: url });
    learned[`script ${url}`] = await element("script", { src: url });
  }
  return learned;
}

/** Shows documents inside this page. */
async function inclusions(urls) {
  const learned = {};
  for (const url of urls) {
    learned[`image ${url}`] = await element("img", { src: url });
    learned[`script ${url}`] = await element("script", { src: url });
    learned[`style ${url}`] = await element("link", { rel: "stylesheet", href: url });
    learned[`frame ${url}`] = await element("iframe", { src: url });
    learned[`object ${url}`] = await element("object", { data: url });
    learned[`no-cors ${url}`] = await send(url, { mode: "no-cors" });
    learned[`cors ${url}`] = await send(url, { mode: "cors" });
  }
  return learned;
}
