// The page's beginning, and what events do.

let about = null, newest = null, details = null;

function sentence(a) {
  if (!a.schedulers) return a.architecture + ": the cluster has not begun yet.";
  const worlds = { virtual: "in virtual time, seed " + a.seed, real: "in real time", cluster: "on a cluster of processes" };
  return a.architecture + ", " + a.policy + ", " + (worlds[a.world] || a.world) + ": " +
    (a.machines ? count_of(a.machines, "machine") : "machines that join") +
    (a.partitions ? " in " + count_of(a.partitions, "partition") : "") +
    (a.owners ? ", " + count_of(a.owners, "owner") : "") + ", " + count_of(a.schedulers, "scheduler") + ".";
}

function set_connection(name, why) {
  const pill = document.getElementById("connection");
  pill.className = "pill " + name;
  pill.textContent = name === "live" ? (newest && newest.over ? "the run is over" : "live")
                   : name === "lost" ? (about ? "connection lost" : "not connected") : "a token is needed";
  pill.title = why || "";
  document.body.classList.toggle("lost", name === "lost");
  if (name === "lost" && why) pill.textContent += ": " + why + "; trying again";
}

function show_tick(tick) {
  newest = tick;
  update_time(about, tick);
  update_clock(tick.clock, tick.over);
  update_cards(about, tick.totals);
  add_rows(tick.rows);
  tell_thinning(about.interval_s);
  update_jobs();
  add_events(tick.events);
  update_plots();
}

function show_details(now) {
  details = now;
  update_members("schedulers", scheduler_columns, now.schedulers,
    "No scheduler is known yet.", "those with the longest queues.");
  update_members("owners", owner_columns, now.owners,
    "This architecture has no partition owners: schedulers talk to machines.", "those that are not up first.");
  update_members("nodes", node_columns, now.nodes,
    about.world === "cluster" ? "No node has joined yet." : "All members live in one process: only clusters have nodes.", "the first ones.");
  update_heat(now);
}

function handle(event, json) {
  if (event === "hello") {
    about = json.about;
    columns = json.columns;
    series_rows = [];
    events = [];
    why_no_explain = json.explain;
    restart_jobs(about.world);
    document.getElementById("name").textContent = about.name || "Troupe";
    document.title = (about.name || "Troupe") + ", live";
    document.getElementById("sentence").textContent = sentence(about);
    show_tick(json);
    show_details(json.details);
  } else if (!about) {
    return;
  } else if (event === "tick") {
    show_tick(json);
  } else if (event === "details") {
    show_details(json);
  } else if (event === "clock") {
    update_clock(json, newest && newest.over);
  }
  set_connection("live");
}

// Shows the form for the token, and waits until there is one.
function ask_for_token(why) {
  const form = document.getElementById("token");
  form.hidden = false;
  document.getElementById("token-trouble").textContent = why;
  return new Promise((done) => form.addEventListener("submit", (event) => {
    event.preventDefault();
    keep_token(document.getElementById("token-text").value.trim());
    form.hidden = true;
    done();
  }, { once: true }));
}

load_token();
start_controls();
start_heat();
start_search();
start_jobs();
for (const plot of data.plots) add_plot_place(plot);
follow("/api/v1/events", handle, (name, why) => {
  set_connection(name, why);
  return name === "token" ? ask_for_token(why) : undefined;
});
