// The script of report.html: draws the plots of the page's data with uPlot. The data is described
// where it is made: page_data.hpp and figures.hpp.
"use strict";

(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  const height = 230;

  // -- numbers --------------------------------------------------------------------------------

  // Three significant digits, with separators of thousands.
  function digits(x) {
    if (x === 0) return "0";
    const size = Math.abs(x);
    if (size >= 1e9 || size < 1e-4) return x.toExponential(2);
    if (size >= 100 || Number.isInteger(x)) return Math.round(x).toLocaleString("en-US");
    return x.toPrecision(3);
  }

  function seconds(x) {
    const size = Math.abs(x);
    if (x === 0) return "0 s";
    if (size < 1e-3) return digits(x * 1e6) + " us";
    if (size < 1) return digits(x * 1e3) + " ms";
    if (size < 600) return digits(x) + " s";
    if (size < 7200) return digits(x / 60) + " min";
    return digits(x / 3600) + " h";
  }

  function text(x, unit) {
    if (x === null || x === undefined) return "-";
    if (unit === "s") return seconds(x);
    if (unit === "%") return digits(x * 100) + " %";
    return digits(x) + (unit ? " " + unit : "");
  }

  // The same for the ticks of an axis, without needless zeros.
  function tick(x, unit) {
    if (x === null) return "";
    return text(x, unit).replace(/(\.\d*?)0+(?=\D|$)/, "$1").replace(/\.(?=\D|$)/, "");
  }

  // Instants of a run: seconds, or hours where they are many.
  function instants(u, ticks) {
    const span = u.scales.x.max - u.scales.x.min;
    return ticks.map((t) => span > 14400 ? +(t / 3600).toFixed(3) + " h" : +t.toFixed(6) + " s");
  }

  const increments = [];
  for (let power = -6; power <= 3; ++power)
    for (const digit of [1, 2, 5]) increments.push(digit * Math.pow(10, power));
  for (const hours of [2, 6, 12, 24, 48, 120, 240, 720, 2400, 7200]) increments.push(hours * 3600);

  // -- colours --------------------------------------------------------------------------------

  const palette = ["blue", "orange", "green", "vermillion", "purple", "sky", "black", "grey"];
  const dashes = [[], [6, 3], [2, 2], [10, 4, 2, 4], [10, 4], [4, 4], [1, 3], [14, 3]];

  function css(name) {
    return getComputedStyle(root).getPropertyValue(name).trim();
  }

  function colour(name) {
    return css("--c-" + name);
  }

  function dash_of(list) {
    return list ? list.split(" ").map(Number) : [];
  }

  // -- one chart ------------------------------------------------------------------------------

  const charts = [];

  // Room for the longest label of a vertical axis.
  function axis_size(u, values) {
    const longest = (values || []).reduce((n, v) => Math.max(n, v ? v.length : 0), 0);
    return Math.max(44, 20 + 7.5 * longest);
  }

  function axis(more) {
    return Object.assign({
      stroke: () => css("--text"),
      grid: { stroke: () => css("--rule"), width: 1 },
      ticks: { stroke: () => css("--rule"), width: 1 },
      font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif", labelSize: 18,
    }, more);
  }

  // How the legend shows the dashes of a line.
  function marker_style(dash) {
    return !dash || !dash.length ? "solid" : dash[0] < 4 ? "dotted" : "dashed";
  }

  // Draws `lines`, each with label, colour, dash, x, y and, where they are buckets of rows, lo and
  // hi. `opts` has the scales; its marks(u) draws over the plot.
  function draw(host, lines, opts) {
    const tables = [];
    const series = [{ label: opts.x_label, value: (u, x) => x === null ? "-" : opts.x_text(x) }];
    const bands = [];
    for (const line of lines) {
      const name = line.colour;
      const single = line.y.length < 100 && line.y.length > 0;
      tables.push([line.x, line.y]);
      const steps = opts.steps ? uPlot.paths.stepped({ align: 1 }) : undefined;
      series.push({
        label: line.label, scale: "y", width: line.y.length > 200 ? 1.25 : 2, dash: line.dash, stroke: () => colour(name),
        paths: steps,
        points: { show: single && !opts.steps, size: 4, fill: () => colour(name) },
        value: (u, y) => text(y, opts.unit),
      });
      if (!line.hi) continue;
      // The least and the greatest value of each bucket, as a band.
      tables.push([line.x, line.hi], [line.x, line.lo]);
      for (const edge of ["greatest", "least"])
        series.push({ label: line.label + ", " + edge, scale: "y", width: 0, points: { show: false },
                      value: (u, y) => text(y, opts.unit) });
      bands.push({ series: [series.length - 2, series.length - 1],
                   fill: () => colour(name) + "40" });
    }
    const columns = uPlot.join(tables);
    const log_y = opts.log && lines.some((l) => l.y.some((y) => y > 0));
    const chart = new uPlot({
      width: Math.max(host.clientWidth, 200), height: height, series: series, bands: bands,
      scales: {
        x: { time: false, distr: opts.x_log ? 3 : 1, log: 10, range: opts.x_range },
        y: log_y ? { distr: 3, log: 10 }
                 : { range: (u, low, high) => [Math.min(0, low || 0),
                                               Math.max(high || 0, opts.at_least || 0) * 1.06 || 1] },
      },
      axes: [
        axis(opts.x_axis),
        axis({ scale: "y", size: axis_size,
               values: (u, ticks) => ticks.map((v) => tick(v, opts.unit)) }),
      ],
      legend: { markers: { width: 3, dash: (u, i) => marker_style(u.series[i].dash) } },
      cursor: opts.sync ? { y: false, sync: { key: opts.sync, scales: ["x", null], setSeries: false } }
                        : { y: false },
      hooks: { draw: [(u) => opts.marks && opts.marks(u)] },
    }, columns, host);
    host.setAttribute("role", "img");
    host.setAttribute("aria-label", opts.title + "; the table below has the values");
    charts.push(chart);
    return chart;
  }

  // Within the observer's own call, a new size would be observed again.
  const widths = new ResizeObserver(() => requestAnimationFrame(() => {
    for (const chart of charts) {
      const width = chart.root.parentNode.clientWidth;
      if (width > 0 && width !== chart.width) chart.setSize({ width: width, height: height });
    }
  }));

  function remove_charts(host) {
    for (let i = charts.length - 1; i >= 0; --i)
      if (charts[i].root.parentNode === host) {
        charts[i].destroy();
        charts.splice(i, 1);
      }
  }

  // -- marks ----------------------------------------------------------------------------------

  const mark_styles = {
    phase: { colour: "--quiet", dash: [] },
    failure: { colour: "--c-vermillion", dash: [4, 3] },
    end: { colour: "--c-green", dash: [2, 3] },
    takeover: { colour: "--c-blue", dash: [] },
    policy: { colour: "--c-purple", dash: [8, 3] },
  };

  // Draws the marks of some runs: lines with their numbers in the table of marks, and short ticks
  // for machines.
  function draw_marks(u, runs) {
    const ratio = devicePixelRatio || 1;
    const { left, top, width: wide, height: high } = u.bbox;
    const ctx = u.ctx;
    ctx.save();
    ctx.font = 11 * ratio + "px system-ui, sans-serif";
    ctx.textAlign = "left";
    ctx.textBaseline = "top";
    let free = -1;
    const drawn = new Set(); // phases and failures that runs have in common
    for (const run of runs) {
      let number = 0;
      for (const mark of data.marks[run]) {
        if (!mark.small) ++number;
        const x = Math.round(u.valToPos(mark.at, "x", true));
        if (x < left || x > left + wide || drawn.has(mark.kind + x)) continue;
        drawn.add(mark.kind + x);
        const style = mark_styles[mark.kind];
        ctx.strokeStyle = ctx.fillStyle = css(style.colour);
        ctx.lineWidth = ratio;
        ctx.setLineDash(style.dash.map((d) => d * ratio));
        ctx.beginPath();
        ctx.moveTo(x, mark.small ? top + high - 6 * ratio : top);
        ctx.lineTo(x, top + high);
        ctx.stroke();
        if (mark.small || runs.length > 1 || x < free) continue;
        ctx.fillText(String(number), x + 3 * ratio, top + 2 * ratio);
        free = x + 18 * ratio;
      }
    }
    ctx.restore();
  }

  function draw_bound(u, bound) {
    const ratio = devicePixelRatio || 1;
    const y = Math.round(u.valToPos(bound, "y", true));
    const { left, top, width: wide } = u.bbox;
    if (y < top) return;
    const ctx = u.ctx;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = css("--quiet");
    ctx.lineWidth = 1.5 * ratio;
    ctx.setLineDash([10 * ratio, 4 * ratio]);
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + wide, y);
    ctx.stroke();
    ctx.font = 11 * ratio + "px system-ui, sans-serif";
    ctx.textAlign = "right";
    ctx.textBaseline = "top";
    ctx.fillText("bound of the oldest partition", left + wide - 4 * ratio, y + 3 * ratio);
    ctx.restore();
  }

  // Shades the values that expectations allow, in the colour of their lines.
  function draw_bands(u, bands) {
    const { left, top, width: wide, height: high } = u.bbox;
    const ctx = u.ctx;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, wide, high);
    ctx.clip();
    ctx.globalAlpha = 0.18;
    for (const band of bands) {
      const place = (y, other) => y === null ? other : u.valToPos(y, "y", true);
      const from = u.valToPos(band.from, "x", true), to = u.valToPos(band.to, "x", true);
      const upper = place(band.max, top), lower = place(band.min, top + high);
      ctx.fillStyle = colour(band.colour);
      ctx.fillRect(from, upper, to - from, lower - upper);
    }
    ctx.restore();
  }

  // -- plots over time ------------------------------------------------------------------------

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
    const end = end_of(lines);
    draw(host, curves, {
      title: plot.title, unit: plot.unit, log: plot.log, sync: "time", x_label: "until", x_text: seconds,
      // The whole run, unless the user has zoomed.
      x_range: (u, low, high) => low === null || low === u.data[0][0] ? [0, end] : [low, high],
      x_axis: { size: 34, values: instants, incrs: increments },
      at_least: Math.max(0, ...bounds, ...bands.map((b) => b.max || b.min)),
      marks: (u) => {
        draw_bands(u, bands);
        draw_marks(u, runs);
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

  // -- figures over other axes ----------------------------------------------------------------

  // The 95 % confidence intervals of the points.
  function draw_intervals(u, lines) {
    const ratio = devicePixelRatio || 1;
    const ctx = u.ctx;
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left - 5 * ratio, u.bbox.top, u.bbox.width + 10 * ratio, u.bbox.height);
    ctx.clip();
    ctx.lineWidth = 1.5 * ratio;
    lines.forEach((line, n) => {
      ctx.strokeStyle = colour(palette[n % palette.length]);
      line.half_width.forEach((half, i) => {
        if (half === null || line.y[i] === null) return;
        const x = u.valToPos(line.x[i], "x", true);
        const low = u.valToPos(line.y[i] - half, "y", true);
        const high = u.valToPos(line.y[i] + half, "y", true);
        ctx.beginPath();
        ctx.moveTo(x, low);
        ctx.lineTo(x, high);
        for (const y of [low, high]) {
          ctx.moveTo(x - 4 * ratio, y);
          ctx.lineTo(x + 4 * ratio, y);
        }
        ctx.stroke();
      });
    });
    ctx.restore();
  }

  function draw_figure(figure) {
    const host = document.querySelector("#figure-" + figure.id + " .canvas");
    remove_charts(host);
    const lines = figure.lines.filter((l) => !group || !l.group || l.group === group)
      .slice(0, palette.length);
    const names = figure.x_names;
    const label = (x) => names.length ? names[x] || "" : text(x, figure.x_unit);
    const curves = lines.map((line, i) => ({
      label: line.label, x: line.x, y: line.y, colour: palette[i], dash: dashes[i],
    }));
    const tops = lines.flatMap((l) => l.half_width.map((h, i) => (l.y[i] || 0) + (h || 0)));
    draw(host, curves, {
      title: figure.title, unit: figure.y_unit, steps: figure.steps, x_log: figure.x_log,
      x_label: figure.x_axis, x_text: label, at_least: Math.max(0, ...tops),
      x_range: names.length ? [-0.5, names.length - 0.5] : undefined,
      x_axis: names.length ? { label: figure.x_axis, incrs: [1], values: (u, xs) => xs.map((x) => names[x] || "") }
                           : { label: figure.x_axis,
                               values: (u, xs) => xs.map((x) => tick(x, figure.x_unit)) },
      marks: (u) => draw_intervals(u, lines),
    });
  }

  // -- tables ---------------------------------------------------------------------------------

  function cell(row, kind, content) {
    const td = document.createElement(kind);
    td.textContent = content;
    row.append(td);
  }

  // All points of a plot for one line.
  function full_table(plot, line) {
    const table = document.createElement("table");
    table.createCaption().textContent = data.lines.length > 1 ? line.label : "";
    const head = table.createTHead().insertRow();
    const shown = plot.series.filter((s) => line.columns[s.column]);
    cell(head, "th", "until");
    for (const s of shown) cell(head, "th", s.label);
    const body = table.createTBody();
    line.x.forEach((x, i) => {
      const row = body.insertRow();
      cell(row, "th", x + " s");
      for (const s of shown) cell(row, "td", text(line.columns[s.column][i], plot.unit));
    });
    return table;
  }

  function complete_table(plot) {
    const details = document.querySelector("#plot-" + plot.id + " details");
    details.addEventListener("toggle", () => {
      details.querySelectorAll(".table, .note").forEach((old) => old.remove());
      for (const line of data.lines) {
        const box = document.createElement("div");
        box.className = "table";
        box.append(full_table(plot, line));
        details.append(box);
      }
    }, { once: true });
  }

  const multiples = { us: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600 };

  // What a cell is sorted by: its first number, in its unit.
  function key_of(row, column) {
    const content = row.cells[column] ? row.cells[column].textContent : "";
    const match = content.replace(/,/g, "").match(/(-?[\d.]+(?:e[+-]?\d+)?)\s*(us|ms|s|min|h)?\b/);
    return match ? match[1] * (multiples[match[2]] || 1) : content;
  }

  function sort_by(table, column) {
    const body = table.tBodies[0];
    const down = table.dataset.sorted === String(column);
    table.dataset.sorted = down ? "" : column;
    const rows = [...body.rows].sort((a, b) => {
      const x = key_of(a, column), y = key_of(b, column);
      const order = typeof x === "number" && typeof y === "number" ? x - y
                                                                  : String(x).localeCompare(String(y));
      return down ? -order : order;
    });
    body.append(...rows);
  }

  document.addEventListener("click", (event) => {
    const th = event.target.closest("thead th");
    const table = th && th.closest("table");
    if (table && !table.closest(".uplot, .headline") && !table.classList.contains("heat"))
      sort_by(table, th.cellIndex);
  });

  // -- controls -------------------------------------------------------------------------------

  function redraw() {
    for (const chart of charts) chart.redraw(false);
  }

  function add_control(name, options, changed, chosen) {
    const label = document.createElement("label");
    const select = document.createElement("select");
    for (const [value, shown] of options) select.add(new Option(shown, value));
    select.value = chosen || "";
    select.addEventListener("change", () => changed(select.value));
    label.append(name + " ", select);
    document.getElementById("controls").append(label);
  }

  function set_theme(theme) {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    redraw();
  }

  if (groups.length > 1)
    add_control("group", [["", "all"]].concat(groups.map((g) => [g, g])), (chosen) => {
      group = chosen;
      draw_all();
    }, group);
  add_control("colours", [["", "as the system"], ["light", "light"], ["dark", "dark"]], set_theme);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("beforeprint", () => set_theme("light"));

  for (const plot of data.plots || []) {
    add_choice(plot);
    complete_table(plot);
  }
  draw_all();
  document.querySelectorAll(".canvas").forEach((host) => widths.observe(host));
})();
