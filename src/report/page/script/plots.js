// The plots over time. Their data is described in page_data.hpp.

const most_lines = 8;
const groups = [...new Set((data.lines || []).map((l) => l.group))];
// Lines of several runs are told apart by colour, those of groups by the choice of one.
let group = groups.length > 1 && data.runs.length > 1 ? groups[0] : "";

function chosen_lines() {
  return (data.lines || []).filter((l) => !group || l.group === group);
}

// A column of a line as a line of a chart. Values of 0 have no place on a logarithmic axis.
function curve(line, column, log) {
  const shown = (values) => log ? values.map((v) => v > 0 ? v : null) : values;
  const y = line.columns[column];
  if (!y) return null;
  const out = { x: line.x, y: shown(y) };
  if (line.max && line.max[column]) {
    out.hi = shown(line.max[column]);
    out.lo = shown(line.min[column]);
  }
  return out;
}

// The curves of a plot: all quantities of a single line, or one quantity of each of several.
function curves_of(plot, lines, column) {
  const out = [];
  if (lines.length === 1) {
    for (const s of plot.series) {
      const c = curve(lines[0], s.column, plot.log);
      if (c) out.push(Object.assign(c, { label: s.label, colour: s.colour, dash: dash_of(s.dash),
                                     line: lines[0], column: s.column }));
    }
    return out;
  }
  lines.slice(0, most_lines).forEach((line, i) => {
    const c = curve(line, column, plot.log);
    if (c) out.push(Object.assign(c, { label: group && data.runs.length > 1 ? data.runs[line.run]
                                                                    : line.label,
                                     colour: palette[i], dash: dashes[i], line: line, column: column }));
  });
  return out;
}

function end_of(lines) {
  return lines.reduce((end, l) => Math.max(end, l.x.length ? l.x[l.x.length - 1] : 0), 0);
}

function draw_plot(plot) {
  const place = document.getElementById("plot-" + plot.id);
  const host = place.querySelector(".canvas");
  const lines = chosen_lines();
  const runs = [...new Set(lines.map((l) => l.run))];
  const select = place.querySelector("label select");
  if (select) select.parentNode.hidden = lines.length < 2;
  const curves = curves_of(plot, lines, select ? select.value : plot.series[0].column);
  remove_charts(host);
  host.querySelectorAll("p").forEach((p) => p.remove());
  if (!curves.length) {
    const p = document.createElement("p");
    p.className = "empty";
    p.textContent = "Nothing was measured here.";
    host.append(p);
    return;
  }
  const bounds = plot.id === "staleness" ? runs.map((r) => data.bounds[r]).filter((b) => b > 0) : [];
  const bands = data.bands.flatMap((band) => curves
    .filter((c) => c.column === band.column && c.line.run === band.run &&
                   (!band.group || c.line.group === band.group))
    .map((c) => Object.assign({ colour: c.colour }, band)));
  const stated = (data.paper || []).flatMap((line) => curves
    .filter((c) => c.column === line.column && c.line.run === line.run &&
                   (!line.group || c.line.group === line.group))
    .map((c) => Object.assign({ colour: c.colour }, line)));
  const end = end_of(lines);
  draw(host, curves, {
    title: plot.title, unit: plot.unit, log: plot.log, sync: "time", x_label: "time", x_text: seconds,
    // The whole run, unless the user has zoomed.
    x_range: (u, low, high) => low === null || low === u.data[0][0] ? [0, end] : [low, high],
    x_axis: { size: 34, values: instants, incrs: increments },
    at_least: Math.max(0, ...bounds, ...bands.map((b) => b.max || b.min), ...stated.map((l) => l.value)),
    marks: (u) => {
      draw_bands(u, bands);
      draw_marks(u, runs);
      draw_stated(u, stated);
      new Set(bounds).forEach((b) => draw_bound(u, b));
    },
  });
}

function draw_all() {
  for (const plot of data.plots || []) draw_plot(plot);
  for (const figure of data.figures) draw_figure(figure);
}

// Lets the user choose the quantity of a plot that compares several lines.
function add_choice(plot) {
  const place = document.getElementById("plot-" + plot.id);
  if ((data.lines || []).length < 2 || plot.series.length < 2) return;
  const label = document.createElement("label");
  const select = document.createElement("select");
  for (const s of plot.series) select.add(new Option(s.label, s.column));
  select.addEventListener("change", () => draw_plot(plot));
  label.append("shown: ", select);
  place.insertBefore(label, place.querySelector(".canvas"));
}
