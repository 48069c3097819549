// One chart, with its colours, its axes and its values at the cursor.

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

// Whose value the edge of a band is at the cursor: " (scheduler 3)".
function whose(line, of, u, i) {
  if (!of || i === null || i === undefined) return "";
  const at = line.x.indexOf(u.data[0][i]);
  return at < 0 || !of[at] ? "" : " (" + of[at] + ")";
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
    const single = line.y.length < 50 && line.y.length > 0;
    tables.push([line.x, line.y]);
    const steps = opts.steps ? uPlot.paths.stepped({ align: 1 }) : undefined;
    series.push({
      label: line.label, scale: "y", width: line.y.length > 200 ? 1.25 : 2, dash: line.dash, stroke: () => colour(name),
      paths: steps,
      points: { show: single && !opts.steps, size: line.marked ? 9 : 4,
                fill: () => line.marked ? css("--ground") : colour(name) },
      value: (u, y) => text(y, opts.unit),
    });
    if (!line.hi) continue;
    // The least and the greatest value of each bucket, as a band.
    tables.push([line.x, line.hi], [line.x, line.lo]);
    for (const [edge, of] of [["greatest", line.hi_of], ["least", line.lo_of]])
      series.push({ label: (lines.length > 1 ? line.label + ", " : "") + edge, scale: "y", width: 0, points: { show: false },
                    value: (u, y, s, i) => text(y, opts.unit) + whose(line, of, u, i) });
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

// Draws all charts anew in the colours of the theme, and the legends' markers with them.
function redraw_charts() {
  for (const chart of charts) {
    chart.redraw(false);
    chart.root.querySelectorAll(".u-legend .u-series").forEach((row, i) => {
      const marker = row.querySelector(".u-marker");
      if (marker && i > 0 && chart.series[i].stroke) marker.style.borderColor = chart.series[i].stroke(chart, i);
    });
  }
}

// Gives each chart the width of its place, or the widest one that may be.
let widest = Infinity;

function fit_charts() {
  for (const chart of charts) {
    const width = Math.min(chart.root.parentNode.clientWidth, widest);
    if (width > 0 && width !== chart.width) chart.setSize({ width: width, height: height });
  }
}

// Within the observer's own call, a new size would be observed again.
const widths = new ResizeObserver(() => requestAnimationFrame(() => fit_charts()));

function remove_charts(host) {
  for (let i = charts.length - 1; i >= 0; --i)
    if (charts[i].root.parentNode === host) {
      charts[i].destroy();
      charts.splice(i, 1);
    }
}
