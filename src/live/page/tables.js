// Cards and tables of members.

function card(name, value, more, bad) {
  const div = document.createElement("div");
  div.className = bad ? "card bad" : "card";
  const title = document.createElement("h2");
  title.textContent = name;
  const main = document.createElement("p");
  main.className = "value";
  main.textContent = value;
  const note = document.createElement("p");
  note.textContent = more;
  div.append(title, main, note);
  return div;
}

function share(part, whole) {
  return whole > 0 ? text(part / whole, "%") : "-";
}

function update_cards(about, t) {
  const over = t.finished + t.failed + t.lost + t.abandoned;
  const bad = t.failed + t.lost + t.abandoned;
  document.getElementById("cards").replaceChildren(
    card("Waiting", digits(t.queued), digits(t.in_commit) + " in commit; oldest " + (t.oldest_s > 0 ? seconds(t.oldest_s) : "-")),
    card("Running", digits(t.running), "of " + digits(t.submitted) + " submitted"),
    card("Placed", digits(t.placed), digits(over) + " have ended" + (bad ? ", " + digits(bad) + " of them failed, lost or abandoned" : "")),
    card("Delay p50 / p99", text(t.delay_p50_s, "s") + " / " + text(t.delay_p99_s, "s"),
         "max " + text(t.delay_max_s, "s") + ", whole run"),
    card("Conflicts", digits(t.conflicts), share(t.conflicts, t.placed) + " of placed"),
    card("Utilization", text(t.utilization, "%"),
         (about.machines ? (t.machines_up ? digits(t.machines_up) + " of " : "") + digits(about.machines)
                         : digits(t.machines_up || 0)) +
         (about.machines || t.machines_up !== 1 ? " machines" : " machine") + (t.machines_up ? " up" : "")));
}

const sorted = {}; // by table: { column, down }

function sort_rows(id, cols, rows) {
  const by = sorted[id];
  if (!by) return rows;
  const key = cols[by.column].key;
  return [...rows].sort((a, b) => {
    const x = a[key], y = b[key];
    const order = typeof x === "string" || typeof y === "string" ? String(x).localeCompare(String(y))
                                                                 : (x ?? -1) - (y ?? -1);
    return by.down ? -order : order;
  });
}

// The head stays as it is from sample to sample, so that a click between two of them is not lost.
function make_table(id, cols) {
  const table = document.createElement("table");
  const head = table.createTHead().insertRow();
  cols.forEach((col, i) => {
    const th = document.createElement("th");
    th.className = col.text ? "text" : "";
    const button = document.createElement("button");
    button.type = "button";
    button.addEventListener("click", () => {
      const by = sorted[id];
      sorted[id] = { column: i, down: by && by.column === i ? !by.down : !col.text };
      draw_table(id, cols, drawn[id]);
    });
    th.append(button);
    head.append(th);
  });
  table.createTBody();
  document.getElementById(id).replaceChildren(table);
  return table;
}

function mark_sorted(id, cols, table) {
  const by = sorted[id];
  [...table.tHead.rows[0].cells].forEach((th, i) => {
    const here = by && by.column === i;
    const text = cols[i].label + (here ? (by.down ? " ▼" : " ▲") : "");
    const button = th.firstChild;
    if (button.textContent !== text) button.textContent = text;
    if (here) th.setAttribute("aria-sort", by.down ? "descending" : "ascending");
    else th.removeAttribute("aria-sort");
  });
}

const drawn = {}; // by table: its rows

// Draws a table; a click on the name of a column sorts by it. `cols`: key, label, unit, odd(value),
// open(row) for cells that are buttons.
function draw_table(id, cols, rows) {
  drawn[id] = rows;
  const table = document.querySelector("#" + id + " > table") || make_table(id, cols);
  mark_sorted(id, cols, table);
  const body = document.createElement("tbody");
  for (const row of sort_rows(id, cols, rows)) {
    const tr = body.insertRow();
    for (const col of cols) {
      const td = tr.insertCell();
      const x = row[col.key];
      let place = td;
      if (col.open) {
        place = document.createElement("button");
        place.type = "button";
        place.addEventListener("click", () => col.open(row));
        td.append(place);
      }
      place.textContent = typeof x === "string" ? x || "-" : text(x, col.unit);
      td.className = (col.text ? "text" : "") + (col.odd && col.odd(x) ? " odd" : "");
    }
  }
  table.tBodies[0].replaceWith(body);
}

const state_column = { key: "state", label: "state", text: true, odd: (x) => x === "silent" };
const scheduler_columns = [
  { key: "number", label: "#" }, { key: "group", label: "group", text: true },
  { key: "policy", label: "policy", text: true }, state_column,
  { key: "busy", label: "busy", unit: "%", odd: (x) => x >= 0.98 },
  { key: "queued", label: "queue" }, { key: "oldest_s", label: "oldest", unit: "s" },
  { key: "placed_per_s", label: "placed", unit: "/s" }, { key: "conflicts", label: "conflicts" },
  { key: "delay_mean_s", label: "delay", unit: "s" }, { key: "delay_p99_s", label: "p99", unit: "s" },
  { key: "view_age_s", label: "view age", unit: "s" }, { key: "takeovers", label: "takeovers" },
];
const owner_columns = [
  { key: "number", label: "#" }, state_column, { key: "machines", label: "machines" },
  { key: "running", label: "tasks" }, { key: "use", label: "use", unit: "%" },
  { key: "granted", label: "granted" }, { key: "refused", label: "refused" },
  { key: "takeovers", label: "takeovers" },
];
const node_columns = [
  { key: "name", label: "name", text: true }, { key: "roles", label: "roles", text: true },
  { key: "state", label: "state", text: true, odd: (x) => x !== "joined" },
  { key: "members", label: "members" }, { key: "machines", label: "machines" },
  { key: "running", label: "tasks" }, { key: "bytes_sent", label: "sent", unit: "B" },
  { key: "memory_bytes", label: "memory", unit: "B" }, { key: "cpu_s", label: "CPU", unit: "s" },
];

function update_members(id, cols, members, none, which) {
  const note = document.getElementById(id + "-note");
  const place = document.getElementById(id);
  if (!members.count) {
    note.textContent = none;
    place.replaceChildren();
    return;
  }
  const left_out = members.count - members.shown.length;
  note.textContent = left_out ? digits(members.count) + " " + id + ", shown are " + members.shown.length + ": " + which
    : count_of(members.count, id.slice(0, -1)) + "; figures of the last sample.";
  draw_table(id, cols, members.shown);
}

const event_columns = [
  { key: "at_s", label: "at", unit: "s" }, { key: "what", label: "what", text: true },
  { key: "member", label: "who", text: true }, { key: "detail", label: "detail", text: true },
];
const most_events = 200;
let events = [];

function add_events(more, so_far) {
  const last = events.length ? events[events.length - 1].number : 0;
  events.push(...more.filter((e) => e.number > last));
  events = events.slice(-most_events);
  const first = events.length ? events[0].number : 1;
  document.getElementById("events-note").textContent = !events.length
    ? "Nothing so far. Failures, takeovers, members that fall silent, changes of policies and phases appear here."
    : first > 1 ? "The last " + events.length + " of " + digits(events[events.length - 1].number) + " events."
                : count_of(events.length, "event") + ".";
  if (events.length) draw_table("events", event_columns, [...events].reverse());
  else document.getElementById("events").replaceChildren();
}
