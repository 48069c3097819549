// The map of partitions: a cell for each, or for some neighbours.

const heat_kinds = {
  use: { label: "load", unit: "%", max: 1, none: "no owner has told the load of its partitions: without owners, or before the first sample, it is not known" },
  age: { label: "age of views", unit: "s", none: "schedulers get no snapshots: their views are exact, offers, or there are none" },
  rate: { label: "conflict rate", unit: "%", none: "no owner has told of placements yet" },
};
const heat = { what: "use", scheduler: "", details: null, ages: null, values: [], at: -1 };

// From the ground to blue, or to vermillion for conflicts: darker is more, in both themes.
function heat_colour(share, what) {
  const name = what === "rate" ? "vermillion" : "blue";
  return "color-mix(in srgb, " + colour(name) + " " + Math.round(8 + 92 * Math.min(1, share)) + "%, " + css("--ground") + ")";
}

function heat_values() {
  const p = heat.details.partitions;
  if (heat.what === "use") return p.use;
  if (heat.what === "age") return heat.scheduler === "" ? p.age_s : heat.ages || p.use.map(() => null);
  return p.refused.map((r, i) => {
    const all = r === null ? null : r + p.granted[i];
    return all === null ? null : all > 0 ? r / all : 0;
  });
}

function heat_shape(cells, width) {
  const size = Math.max(6, Math.min(28, Math.floor(Math.sqrt(width * 160 / cells))));
  const across = Math.max(1, Math.min(cells, Math.floor(width / size)));
  return { size, across, down: Math.ceil(cells / across) };
}

function draw_legend(max, kind) {
  const legend = document.getElementById("heat-legend");
  const bar = document.createElement("canvas");
  bar.width = 160;
  bar.height = 12;
  const ctx = bar.getContext("2d");
  for (let x = 0; x < 160; ++x) {
    ctx.fillStyle = heat_colour(x / 159, heat.what);
    ctx.fillRect(x, 0, 1, 12);
  }
  const scale = document.createElement("span");
  scale.append(text(0, kind.unit), bar, text(max, kind.unit));
  legend.replaceChildren(scale, "crossed: not known");
}

function draw_heat() {
  if (!heat.details) return;
  const canvas = document.getElementById("heat");
  const note = document.getElementById("heat-note");
  const p = heat.details.partitions;
  const kind = heat_kinds[heat.what];
  const values = heat.values = heat_values();
  const known = values.filter((v) => v !== null);
  canvas.hidden = document.getElementById("heat-legend").hidden = !known.length;
  if (!known.length) {
    note.textContent = "Nothing to show: " + (p.count ? kind.none : "this architecture has no partitions") + ".";
    document.getElementById("heat-cell").textContent = "";
    return;
  }
  note.textContent = count_of(p.count, "partition") + ", in the order of their numbers" +
    (p.each > 1 ? "; each cell is " + p.each + " neighbours: " + (heat.what === "rate" ? "their sum" : "their mean") : "") +
    (heat.what === "rate" ? "; refused of all placements since the previous sample" : "") + ".";
  const ratio = devicePixelRatio || 1;
  const width = Math.max(100, canvas.parentNode.clientWidth - 2);
  const { size, across, down } = heat_shape(values.length, width);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(down * size * ratio);
  canvas.style.height = down * size + "px";
  const ctx = canvas.getContext("2d");
  ctx.scale(ratio, ratio);
  const max = kind.max || Math.max(...known, heat.what === "rate" ? 0.01 : 0.001);
  const colours = [];
  for (let i = 0; i <= 32; ++i) colours.push(heat_colour(i / 32, heat.what));
  values.forEach((v, i) => {
    const x = (i % across) * size, y = Math.floor(i / across) * size;
    if (v === null) {
      ctx.strokeStyle = css("--rule");
      ctx.beginPath();
      ctx.moveTo(x + 1, y + 1);
      ctx.lineTo(x + size - 2, y + size - 2);
      ctx.stroke();
    } else {
      ctx.fillStyle = colours[Math.round(32 * Math.min(1, v / max))];
      ctx.fillRect(x, y, size - 1, size - 1);
    }
    if (i === heat.at) {
      ctx.strokeStyle = css("--text");
      ctx.lineWidth = 2;
      ctx.strokeRect(x, y, size - 1, size - 1);
      ctx.lineWidth = 1;
    }
  });
  draw_legend(max, kind);
  tell_cell();
}

function tell_cell() {
  const p = heat.details && heat.details.partitions;
  const i = heat.at;
  const out = document.getElementById("heat-cell");
  if (!p || i < 0 || i >= heat.values.length) {
    out.textContent = "Point at a cell, or use the arrow keys on the map.";
    return;
  }
  const last = Math.min(p.count, (i + 1) * p.each) - 1;
  const name = last > i * p.each ? "partitions " + i * p.each + " to " + last : "partition " + i;
  out.textContent = name + ": " + heat_kinds[heat.what].label + " " + text(heat.values[i], heat_kinds[heat.what].unit) +
    "; load " + text(p.use[i], "%") + ", granted " + text(p.granted[i]) + ", refused " + text(p.refused[i]) +
    (p.each === 1 && p.owner[i] !== null ? "; owner " + p.owner[i] : "") + ".";
}

async function fetch_ages() {
  if (heat.what !== "age" || heat.scheduler === "") return;
  try {
    heat.ages = (await ask("/api/v1/schedulers/" + heat.scheduler + "/ages")).age_s;
  } catch (error) {
    heat.ages = null;
  }
}

async function update_heat(details) {
  heat.details = details;
  const select = document.getElementById("heat-scheduler");
  const wanted = details.schedulers.count;
  if (select.options.length !== wanted + 1) {
    select.replaceChildren(new Option("all, their mean", ""));
    for (let s = 0; s < wanted; ++s) select.add(new Option("scheduler " + s, s));
    select.value = heat.scheduler;
  }
  await fetch_ages();
  draw_heat();
}

function move_in_heat(event) {
  if (!heat.values.length) return;
  const { across } = heat_shape(heat.values.length, document.getElementById("heat").clientWidth);
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -across, ArrowDown: across }[event.key];
  if (!by) return;
  event.preventDefault();
  heat.at = Math.max(0, Math.min(heat.values.length - 1, heat.at < 0 ? 0 : heat.at + by));
  draw_heat();
}

function point_in_heat(event) {
  const box = event.target.getBoundingClientRect();
  const { size, across } = heat_shape(heat.values.length || 1, event.target.clientWidth);
  const x = Math.floor((event.clientX - box.left) / size), y = Math.floor((event.clientY - box.top) / size);
  const at = x < across ? y * across + x : -1;
  if (at === heat.at) return;
  heat.at = at < heat.values.length ? at : -1;
  draw_heat();
}

function start_heat() {
  const what = document.getElementById("heat-what");
  for (const [name, kind] of Object.entries(heat_kinds)) what.add(new Option(kind.label, name));
  const changed = async () => {
    heat.what = what.value;
    heat.scheduler = document.getElementById("heat-scheduler").value;
    document.getElementById("heat-view").hidden = heat.what !== "age";
    await fetch_ages();
    draw_heat();
  };
  what.addEventListener("change", changed);
  document.getElementById("heat-scheduler").addEventListener("change", changed);
  const canvas = document.getElementById("heat");
  canvas.addEventListener("keydown", move_in_heat);
  canvas.addEventListener("pointermove", point_in_heat);
  canvas.addEventListener("pointerdown", point_in_heat);
  new ResizeObserver(() => requestAnimationFrame(draw_heat)).observe(canvas.parentNode);
}
