// The figures over other axes. Their data is described in figures.hpp.

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
    ctx.strokeStyle = colour(line.paper ? "black" : palette[n % palette.length]);
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

// Room for the longest of some labels under a horizontal axis.
function label_room(names) {
  return names.reduce((room, name) => Math.max(room, 10 + 7 * name.length), 36);
}

function draw_figure(figure) {
  const host = document.querySelector("#figure-" + figure.id + " .canvas");
  remove_charts(host);
  const lines = figure.lines.filter((l) => !group || !l.group || l.group === group)
    .slice(0, palette.length);
  const names = figure.x_names;
  const timed = figure.x_axis === "time (s)"; // as in the plots over time
  const label = (x) => names.length ? names[x] || "" : text(x, figure.x_unit);
  const curves = lines.map((line, i) => ({
    label: line.label, x: line.x, y: line.y, colour: line.paper ? "black" : palette[i],
    dash: line.paper ? [2, 3] : dashes[i], marked: line.paper,
    hi: line.high.length ? line.high : undefined, lo: line.low, hi_of: line.high_of, lo_of: line.low_of,
  }));
  const tops = lines.flatMap((l) => l.half_width.map((h, i) => (l.y[i] || 0) + (h || 0)));
  draw(host, curves, {
    title: figure.title, unit: figure.y_unit, steps: figure.steps, x_log: figure.x_log, log: figure.y_log,
    x_label: timed ? "time" : figure.x_axis, x_text: label, at_least: Math.max(0, ...tops),
    x_range: names.length ? [-0.5, names.length - 0.5] : undefined,
    x_axis: names.length ? { label: figure.x_axis, incrs: [1, 2, 5, 10, 20, 50], space: label_room(names),
                               values: (u, xs) => xs.map((x) => names[x] || "") }
                         : timed ? { size: 34, values: instants, incrs: increments }
                         : { label: figure.x_axis,
                             values: (u, xs) => xs.map((x) => tick(x, figure.x_unit)) },
    marks: (u) => draw_intervals(u, lines),
  });
}
