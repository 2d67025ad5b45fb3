// Requests to the server of this page. A token is stored in this module's memory only.

const GROUP = "/apis/authorization.k8s.io/v1/";
const LONGEST_ANSWER = 64 << 20;

let token = "";

/** A refused request, or a server that could not be reached; the message is the server's. */
export class Refused extends Error {
  constructor(code, message, causes = []) {
    super(message);
    this.code = code;
    this.causes = causes;
    this.title = TITLES[code] ?? (code === 0 ? "The server can’t be reached" : `The server responded with ${code}`);
  }
}

const TITLES = {
  400: "The request is malformed",
  401: "Sign in first",
  403: "You are not allowed to see this",
  404: "This server does not serve this request",
  413: "The request is too large",
  422: "The request is invalid",
  429: "The server is busy",
  504: "The request timed out",
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
    // The response is not a Status: its code is the only description.
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
    throw new Refused(413, "the response is larger than this page can show: narrow the request");
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

/** Reads a stream of events, and calls back with the name and data of each, until it ends or is aborted. */
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

/** Returns the user that the server authenticates. */
export async function whoAmI() {
  return (await post("/apis/authentication.k8s.io/v1/selfsubjectreviews", { kind: "SelfSubjectReview", apiVersion: "authentication.k8s.io/v1" })).status
    .userInfo;
}

/** Creates a virtual resource of the authorization group and returns its status. */
export async function ask(resource, spec, signal) {
  return (await post(GROUP + resource, { spec }, signal)).status;
}
