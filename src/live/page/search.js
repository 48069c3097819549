// The search for a task.

let why_no_explain = null;

function answer_text(json) {
  if (typeof json === "string") return json;
  if (json && typeof json.text === "string") return json.text;
  if (json && Array.isArray(json.sentences)) return json.sentences.join("\n");
  return JSON.stringify(json, null, 2);
}

function start_search() {
  document.getElementById("search").addEventListener("submit", async (event) => {
    event.preventDefault();
    const answer = document.getElementById("answer");
    const wanted = document.getElementById("task").value.trim();
    answer.hidden = false;
    if (!/^\d+(\.\d+)?$/.test(wanted)) {
      answer.textContent = "'" + wanted + "' names no task. Expected the number of a job, or JOB.TASK, such as 812.3.";
      return;
    }
    if (why_no_explain) {
      answer.textContent = "There is no explanation: " + why_no_explain + ".";
      return;
    }
    answer.textContent = "…";
    try {
      answer.textContent = answer_text(await ask("/api/v1/explain?task=" + encodeURIComponent(wanted)));
    } catch (error) {
      answer.textContent = error.message;
    }
  });
}
