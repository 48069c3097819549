// The jobs of clients, of clusters that run commands: a list, the tasks of one, the runs of one task.

const most_jobs = 50, most_tasks = 200, most_output = 4000; // the last ones; bytes
const jobs_pause = 2000; // ms between two questions
const shown_job = { job: null, task: null };
let jobs_due = 0, asks_jobs = false;

const ran_badly = (state) => state === "failed";
const job_columns = [
  { key: "id", label: "job", open: (row) => open_job(row.id) }, { key: "name", label: "name", text: true },
  { key: "tenant", label: "tenant", text: true },
  { key: "state", label: "state", text: true, odd: ran_badly }, { key: "done", label: "done" },
  { key: "tasks", label: "of" }, { key: "running", label: "running" },
  { key: "failed", label: "failed", odd: (x) => x > 0 }, { key: "age_s", label: "age", unit: "s" },
  { key: "took_s", label: "took", unit: "s" }, { key: "reason", label: "reason", text: true },
];
const task_columns = [
  { key: "task", label: "task", open: (row) => open_task(row.task) }, { key: "group", label: "group", text: true },
  { key: "state", label: "state", text: true, odd: ran_badly }, { key: "attempts", label: "attempts" },
  { key: "losses", label: "lost", odd: (x) => x > 0 }, { key: "reason", label: "reason", text: true },
];
const run_columns = [
  { key: "attempt", label: "attempt" }, { key: "node", label: "node", text: true },
  { key: "ran_s", label: "ran", unit: "s" }, { key: "cpu_s", label: "CPU", unit: "s" },
  { key: "max_rss_bytes", label: "memory", unit: "B" }, { key: "how", label: "end", text: true },
];

function job_row(j) {
  const now = Date.now();
  return Object.assign({}, j, {
    done: j.succeeded + j.failed + j.cancelled,
    age_s: j.submitted_ms === null ? null : Math.max(0, now - j.submitted_ms) / 1000,
    took_s: j.started_ms === null ? null : Math.max(0, (j.finished_ms ?? now) - j.started_ms) / 1000,
  });
}

// Nodes tell the start of a command together with its end: until then it counts from the grant.
function run_row(r) {
  const started = r.open ? r.granted_ms : r.started_ms;
  return Object.assign({}, r, {
    ran_s: started === null ? null : Math.max(0, (r.ended_ms ?? Date.now()) - started) / 1000,
    cpu_s: r.user_s + r.system_s,
    how: r.open ? "runs" : r.how,
  });
}

// The end of what the latest attempt of a task has written.
async function output_of(path) {
  const part = async (query) => {
    const answer = await fetch(path + query, { headers: headers() });
    if (!answer.ok) throw new Error(((await answer.json().catch(() => null)) || {}).error || "status " + answer.status);
    return answer;
  };
  const size = Number((await part("?limit=0")).headers.get("X-Size"));
  const from = Math.max(0, size - most_output);
  const written = size ? await (await part("?offset=" + from + "&limit=" + most_output)).text() : "";
  return (from ? "… the last " + bytes(most_output) + " of " + bytes(size) + ":\n" : "") + (written || "(nothing)");
}

async function show_task() {
  const place = document.getElementById("task-part");
  place.hidden = shown_job.task === null;
  if (shown_job.task === null) return;
  const task = shown_job.job + "." + shown_job.task;
  const path = "/api/v1/jobs/" + shown_job.job + "/tasks/" + shown_job.task;
  const history = await ask(path);
  const written = await Promise.all(["stdout", "stderr"].map((stream) =>
    output_of(path + "/output/" + stream).catch((error) => "(" + error.message + ")")));
  if (task !== shown_job.job + "." + shown_job.task) return;
  document.getElementById("task-name").textContent = "Task " + task;
  draw_table("task-runs", run_columns, history.runs.map(run_row));
  document.getElementById("task-stdout").textContent = written[0];
  document.getElementById("task-stderr").textContent = written[1];
}

// The jobs and the machines that a job waits for, and its tenant's maximum.
function waits_of(job) {
  let waits = job.waits_for.length ? " It waits until these jobs have succeeded: " + job.waits_for.join(", ") + "." : "";
  for (const g of job.groups) {
    if (g.no_machine) waits += " The group " + g.name + " waits for machines: " + g.no_machine + ".";
    if (g.at_maximum) waits += " The group " + g.name + " waits until its tenant's maximum admits it: " + g.at_maximum + ".";
  }
  return waits;
}

async function show_tasks() {
  const place = document.getElementById("tasks-part");
  const job = shown_job.job;
  place.hidden = job === null;
  if (job === null) return;
  const [whole, page] = await Promise.all([ask("/api/v1/jobs/" + job),
                                           ask("/api/v1/jobs/" + job + "/tasks?limit=" + most_tasks)]);
  if (job !== shown_job.job) return;
  document.getElementById("tasks-name").textContent = "Job " + job;
  document.getElementById("tasks-note").textContent =
    (page.next === null ? count_of(page.tasks.length, "task") + "."
                        : "The first " + page.tasks.length + " tasks; 'troupe job " + job + " --tasks' tells of all.") +
    waits_of(whole);
  draw_table("tasks", task_columns, page.tasks);
}

async function list_jobs() {
  const state = document.getElementById("jobs-state").value;
  const name = document.getElementById("jobs-name").value.trim();
  const page = await ask("/api/v1/jobs?limit=" + most_jobs + (state ? "&state=" + state : "") +
                         (name ? "&name=" + encodeURIComponent(name) : ""));
  document.getElementById("jobs-part").hidden = false;
  document.getElementById("jobs-note").textContent =
    page.jobs.length === 0 ? (state || name ? "No job is like that." : "No job so far: 'troupe submit -- COMMAND' makes one.")
    : page.before !== null ? "The newest " + page.jobs.length + " jobs." : count_of(page.jobs.length, "job") + ", the newest first.";
  draw_table("jobs", job_columns, page.jobs.map(job_row));
}

// Asks for what is shown, not more often than each two seconds. A server without jobs has no list.
async function update_jobs(at_once) {
  if (!about || about.world !== "cluster" || asks_jobs || document.hidden) return;
  if (!at_once && Date.now() < jobs_due) return;
  asks_jobs = true;
  try {
    await list_jobs();
    await show_tasks();
    await show_task();
  } catch (error) {
    if (error.status === 404 && shown_job.job !== null) close_job();
    else if (error.status === 404 || error.status === 501) document.getElementById("jobs-part").hidden = true;
    else document.getElementById("jobs-note").textContent = error.message;
  }
  asks_jobs = false;
  jobs_due = Date.now() + jobs_pause;
}

function open_job(job) {
  Object.assign(shown_job, { job, task: null });
  update_jobs(true);
}

function open_task(task) {
  shown_job.task = task;
  update_jobs(true);
}

function close_job() {
  Object.assign(shown_job, { job: null, task: null });
  for (const part of ["tasks-part", "task-part"]) document.getElementById(part).hidden = true;
}

// The page begins anew: a job that is open stays so, unless there is none of its number now.
function restart_jobs(world) {
  jobs_due = 0;
  if (world === "cluster") return;
  close_job();
  document.getElementById("jobs-part").hidden = true;
}

function start_jobs() {
  document.getElementById("jobs-state").addEventListener("change", () => update_jobs(true));
  document.getElementById("jobs-name").addEventListener("change", () => update_jobs(true));
  document.getElementById("jobs-close").addEventListener("click", close_job);
  document.getElementById("jobs-find").addEventListener("submit", (event) => {
    event.preventDefault();
    update_jobs(true);
  });
}
