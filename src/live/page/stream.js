// The connection to the server: events by fetch, which can carry a token and tells why it fails.

const token_key = "troupe-token";
let token = "";

function load_token() {
  const match = location.hash.match(/^#token=([\w.~-]+)$/);
  try {
    if (match) sessionStorage.setItem(token_key, match[1]);
    token = match ? match[1] : sessionStorage.getItem(token_key) || "";
  } catch (e) {
    token = match ? match[1] : "";
  }
  // The token should not stay in the address, from where it is copied.
  if (match) history.replaceState(null, "", location.pathname);
}

function keep_token(text) {
  token = text;
  try { sessionStorage.setItem(token_key, text); } catch (e) { /* for this page only */ }
}

function headers(more) {
  return Object.assign({}, token ? { Authorization: "Bearer " + token } : {}, more);
}

// Asks the API; returns the JSON, or throws an Error with the server's words and its status.
async function ask(path, body) {
  const response = await fetch(path, body === undefined ? { headers: headers() } : {
    method: "POST", headers: headers({ "Content-Type": "application/json" }), body: JSON.stringify(body),
  });
  const text = await response.text();
  let json = null;
  try { json = JSON.parse(text); } catch (e) { /* an error below, or plain text */ }
  if (response.ok) return json;
  const error = new Error(json && json.error ? json.error : "the server answers " + response.status);
  error.status = response.status;
  throw error;
}

// Splits a stream into events: lines "event:", "id:", "data:", and an empty line.
function event_parser(handle) {
  let rest = "", event = { data: "" };
  return (text) => {
    rest += text;
    const lines = rest.split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (line === "") {
        if (event.data) handle(event);
        event = { data: "" };
      } else {
        const colon = line.indexOf(": ");
        if (colon > 0) event[line.slice(0, colon)] = line.slice(colon + 2);
      }
    }
  };
}

// Reads events for ever, and connects again when the connection is lost. `state(name, why)` hears
// "live", "lost" and "token".
async function follow(path, handle, state) {
  let last = "", wait = 500;
  for (;;) {
    const stop = new AbortController();
    let watchdog = 0;
    // The server sends at least a comment every 15 s.
    const alive = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => stop.abort(), 40000);
    };
    try {
      alive();
      const response = await fetch(path, {
        headers: headers(last ? { "Last-Event-ID": last } : {}), signal: stop.signal, cache: "no-store",
      });
      if (response.status === 401) {
        await state("token", token ? "the server does not accept this token" : "");
        continue;
      }
      if (!response.ok) {
        const json = await response.json().catch(() => null);
        throw new Error(json && json.error ? json.error : "the server answers " + response.status);
      }
      const reader = response.body.getReader();
      const decoder = new TextDecoder();
      const parse = event_parser((event) => {
        last = event.id || last;
        handle(event.event, JSON.parse(event.data));
      });
      wait = 500;
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        alive();
        parse(decoder.decode(value, { stream: true }));
      }
      state("lost", "the server has ended the connection");
    } catch (error) {
      state("lost", error.name === "TypeError" || error.name === "AbortError"
        ? "the server does not answer" : error.message);
    } finally {
      clearTimeout(watchdog);
    }
    await new Promise((done) => setTimeout(done, wait));
    wait = Math.min(wait * 1.5, 3000);
  }
}
