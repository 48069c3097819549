// The clock, and what people may do to it; the colours.

const speeds = [[1, "×1"], [10, "×10"], [100, "×100"], ["max", "max"]];
let clock = null;

function clock_text(s) {
  const whole = Math.floor(s + 1e-9);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60].map((n) => String(n).padStart(2, "0"));
  const rest = Math.round((s - whole) * 1000);
  return parts.join(":") + (rest > 0 ? "." + String(rest).padStart(3, "0") : "");
}

function update_time(about, tick) {
  const now = about.world === "virtual" ? tick.now_s : Math.floor(tick.now_s);
  document.getElementById("time").textContent = clock_text(now);
  document.getElementById("of").textContent =
    (about.length_s > 0 ? "of " + clock_text(about.length_s) + ", " : "") +
    ({ virtual: "virtual time", real: "real time", cluster: "time of the cluster" }[about.world] || about.world) +
    (tick.over ? "; the run is over" : "");
  document.body.classList.toggle("over", tick.over);
}

function update_clock(now, over) {
  clock = now;
  document.getElementById("pace").hidden = !clock || over;
  const note = document.getElementById("pace-note");
  if (!clock || over) {
    note.textContent = "";
    return;
  }
  const pause = document.getElementById("pause");
  pause.textContent = clock.paused ? "Go on" : "Pause";
  pause.setAttribute("aria-pressed", clock.paused);
  note.textContent = clock.paused ? "paused; Step runs one interval" : "";
  document.querySelectorAll("#speeds button").forEach((button) =>
    button.setAttribute("aria-pressed", button.value === String(clock.speed)));
}

async function command(body) {
  try {
    update_clock(await ask("/api/v1/control", body), false);
  } catch (error) {
    document.getElementById("pace-note").textContent = error.message;
  }
}

function set_theme(theme) {
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  redraw_charts();
  draw_heat();
}

function start_controls() {
  const place = document.getElementById("speeds");
  for (const [value, shown] of speeds) {
    const button = document.createElement("button");
    button.type = "button";
    button.value = value;
    button.textContent = shown;
    button.setAttribute("aria-label", value === "max" ? "as fast as possible" : value + " times as fast as real time");
    button.addEventListener("click", async () => {
      await command({ speed: value });
      if (clock && clock.paused) command({ pause: false });
    });
    place.append(button);
  }
  document.getElementById("pause").addEventListener("click", () => command({ pause: !clock.paused }));
  document.getElementById("step").addEventListener("click", () => command({ step: 1 }));
  document.addEventListener("keydown", (event) => {
    if (!clock || document.getElementById("pace").hidden || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, select, button, canvas, a")) return;
    if (event.key === " ") {
      event.preventDefault();
      command({ pause: !clock.paused });
    } else if (event.key === "s") {
      command({ step: 1 });
    }
  });
  const label = document.createElement("label");
  const select = document.createElement("select");
  select.id = "theme";
  for (const [value, shown] of [["", "as the system"], ["light", "light"], ["dark", "dark"]])
    select.add(new Option(shown, value));
  select.addEventListener("change", () => set_theme(select.value));
  label.append("colours ", select);
  document.getElementById("controls").append(label);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => set_theme(select.value));
}
