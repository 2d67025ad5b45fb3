// Requests to the server that this page came from. A token is kept in this module's memory and nowhere else.

const GROUP = "/apis/authorization.k8s.io/v1/";
const LONGEST_ANSWER = 64 << 20;

let token = "";

/** What a server refused, or that it could not be reached; the message is the server's own. */
export class Refused extends Error {
  constructor(code, message, causes = []) {
    super(message);
    this.code = code;
    this.causes = causes;
    this.title = TITLES[code] ?? (code === 0 ? "The server can’t be reached" : `The server answered ${code}`);
  }
}

const TITLES = {
  400: "The server does not understand the question",
  401: "Sign in first",
  403: "You may not see this",
  404: "This server does not know the question",
  413: "This is too much at once",
  422: "Something in it is wrong",
  429: "The server is busy",
  504: "This took too long",
};

export function signInWith(newToken) {
  token = newToken.trim();
}

export function hasToken() {
  return token !== "";
}

function headers(more) {
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}

async function refusal(response) {
  let message = response.statusText || `HTTP ${response.status}`;
  let causes = [];
  try {
    const status = await response.json();
    message = status.message ?? message;
    causes = (status.details?.causes ?? []).map((cause) => (cause.field ? `${cause.field}: ${cause.message}` : cause.message));
  } catch {
    // What is no Status has no better words than the code.
  }
  return new Refused(response.status, message, causes);
}

async function send(path, options) {
  let response;
  try {
    response = await fetch(path, { redirect: "error", cache: "no-store", credentials: "same-origin", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused(0, "The connection failed: the server stopped, or the network is down. Nothing was changed.");
  }
  if (!response.ok) throw await refusal(response);
  if (Number(response.headers.get("Content-Length") ?? 0) > LONGEST_ANSWER) {
    throw new Refused(413, "the answer is larger than this page can show: ask about less");
  }
  return response;
}

export async function get(path, accept = "application/json") {
  return (await send(path, { headers: headers({ Accept: accept }) })).json();
}

export async function post(path, body, signal) {
  const response = await send(path, {
    method: "POST",
    headers: headers({ "Content-Type": "application/json", Accept: "application/json" }),
    body: JSON.stringify(body),
    signal,
  });
  return response.json();
}

/** A stream of events. Calls back with the name and data of each, until it ends or is aborted. */
export async function events(path, onEvent, signal) {
  const response = await send(path, { headers: headers({ Accept: "text/event-stream" }), signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const event = { event: "message", data: "" };
      for (const line of text.slice(0, end).split("\n")) {
        const colon = line.indexOf(":");
        if (colon > 0) event[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
      }
      if (event.data) onEvent(event.event, event.data);
      text = text.slice(end + 2);
    }
  }
}

/** Who the server takes the viewer for. */
export async function whoAmI() {
  return (await post("/apis/authentication.k8s.io/v1/selfsubjectreviews", { kind: "SelfSubjectReview", apiVersion: "authentication.k8s.io/v1" })).status
    .userInfo;
}

/** Asks a question of the authorization group; answers with the status. */
export async function ask(resource, spec, signal) {
  return (await post(GROUP + resource, { spec }, signal)).status;
}
