// The search for a task: its story, or why it is on no machine or not on one.

let why_no_explain = null;
let question = 0; // the last one: answers to earlier ones are not shown

function show_answer(lines, kind) {
  const answer = document.getElementById("answer");
  answer.hidden = false;
  answer.className = kind || "";
  answer.replaceChildren(...lines.map((line) => {
    const p = document.createElement("p");
    p.textContent = line;
    return p;
  }));
}

function lines_of(json) {
  if (!json || !Array.isArray(json.sentences)) return [JSON.stringify(json, null, 2)];
  const lines = json.sentences.slice();
  if (json.replayed === false && json.why_not_replayed)
    lines.push("This is what the records say: " + json.why_not_replayed + ".");
  return lines;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// Asks until there is an answer: the server says every few seconds that it is still at work.
async function ask_patiently(path, mine) {
  const busy_until = Date.now() + 30000;
  for (;;) {
    if (mine !== question) return null;
    try {
      const json = await ask(path);
      if (!json || json.state !== "working") return json;
      if (mine === question)
        show_answer(["The run is made again up to now, for " + Math.round(json.seconds) + " s so far …"], "busy");
    } catch (error) {
      if (error.status !== 503 || Date.now() > busy_until) throw error;
      if (mine === question) show_answer(["Another task is being explained …"], "busy");
      await pause(1000);
    }
  }
}

async function search_for(kind) {
  const wanted = document.getElementById("task").value.trim();
  const machine = document.getElementById("machine").value.trim();
  const mine = ++question;
  if (!/^([^\/\s]+\/)?\d+(\.\d+)?$/.test(wanted))
    return show_answer(["'" + wanted + "' names no task. Expected JOB.TASK, such as 812.3, GROUP/JOB.TASK, or a job."]);
  if (kind === "why-not" && !/^\d*$/.test(machine))
    return show_answer(["'" + machine + "' is no machine. Expected its number, or nothing."]);
  if (why_no_explain) return show_answer(["There is no explanation: " + why_no_explain + "."]);
  show_answer(["…"], "busy");
  let path = "/api/v1/" + kind + "?task=" + encodeURIComponent(wanted);
  if (kind === "why-not" && machine) path += "&machine=" + machine;
  try {
    const json = await ask_patiently(path, mine);
    if (mine === question) show_answer(lines_of(json));
  } catch (error) {
    if (mine === question) show_answer([error.message]);
  }
}

function start_search() {
  document.getElementById("search").addEventListener("submit", (event) => {
    event.preventDefault();
    search_for("explain");
  });
  document.getElementById("why-not").addEventListener("click", () => search_for("why-not"));
}
