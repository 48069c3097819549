// The rows over time, and their plots.

const most_rows = 1200;
let columns = [];     // names
let series_rows = []; // each an array by `columns`
const live_plots = new Map();

// Halves the rows by taking the mean of two neighbours; a row counts by its samples.
function thin_rows() {
  const thinner = [];
  for (let i = 0; i < series_rows.length; i += 2) {
    const a = series_rows[i], b = series_rows[i + 1];
    if (!b) {
      thinner.push(a);
      continue;
    }
    const total = a[1] + b[1];
    thinner.push(a.map((x, c) => {
      const y = b[c];
      if (c === 0) return y;
      if (c === 1) return total;
      return x === null ? y : y === null ? x : (x * a[1] + y * b[1]) / total;
    }));
  }
  series_rows = thinner;
}

function add_rows(rows) {
  let last = series_rows.length ? series_rows[series_rows.length - 1][0] : -1;
  for (const row of rows)
    if (row[0] > last) {
      series_rows.push(row);
      last = row[0];
    }
  while (series_rows.length > most_rows) thin_rows();
}

function tell_thinning(interval) {
  const most = series_rows.reduce((n, r) => Math.max(n, r[1]), 0);
  const samples = series_rows.reduce((n, r) => n + r[1], 0);
  document.getElementById("thinned").textContent = !series_rows.length
    ? "The recorder has taken no sample yet" + (interval ? "; it takes one every " + seconds(interval) + "." : ".")
    : most > 1
      ? digits(samples) + " samples, shown as " + digits(series_rows.length) + " points: each the mean of up to " + digits(most) + " samples."
      : digits(samples) + " samples, one every " + seconds(interval) + ".";
}

function column(name, log) {
  const at = columns.indexOf(name);
  return series_rows.map((row) => {
    const x = at < 0 ? null : row[at];
    return log && !(x > 0) ? null : x;
  });
}

function add_plot_place(plot) {
  const figure = document.createElement("figure");
  figure.className = "plot";
  figure.id = "plot-" + plot.id;
  const title = document.createElement("h3");
  title.textContent = plot.title;
  const axis_text = document.createElement("p");
  axis_text.className = "axis";
  axis_text.textContent = plot.axis;
  const host = document.createElement("div");
  host.className = "canvas";
  const note = document.createElement("p");
  note.className = "empty";
  note.hidden = true;
  figure.append(title, axis_text, host, note);
  document.getElementById("plots").append(figure);
  widths.observe(host);
  live_plots.set(plot.id, { plot, host, note, shown: "", chart: null });
}

function update_plot(place) {
  const { plot, host, note } = place;
  const shown = plot.series
    .map((s) => Object.assign({ y: column(s.column, plot.log) }, s))
    .filter((s) => s.y.some((y) => y !== null && y !== 0));
  const names = shown.map((s) => s.column).join();
  note.hidden = shown.length > 0;
  host.hidden = !shown.length;
  note.textContent = "Nothing so far: " + (plot.otherwise || "nothing was counted") + ".";
  const x = column("until_s");
  if (place.chart && names === place.shown) {
    place.chart.setData([x, ...shown.map((s) => s.y)]);
    return;
  }
  remove_charts(host);
  place.shown = names;
  place.chart = null;
  if (!shown.length) return;
  place.chart = draw(host, shown.map((s) => ({
    label: s.label, colour: s.colour, dash: s.dash ? s.dash.split(" ").map(Number) : [], x: x, y: s.y,
  })), {
    title: plot.title, unit: plot.unit, log: plot.log, sync: "time", x_label: "time", x_text: seconds,
    x_range: (u, low, high) => [low === null || low === u.data[0][0] ? 0 : low, high === null ? 1 : high],
    x_axis: { size: 34, values: instants, incrs: increments },
  });
  host.setAttribute("aria-label", plot.title + ", live");
}

function update_plots() {
  for (const place of live_plots.values()) update_plot(place);
}
