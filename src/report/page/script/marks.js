// What is drawn over and behind the lines of a chart.

const mark_styles = {
  phase: { colour: "--quiet", dash: [] },
  failure: { colour: "--c-vermillion", dash: [4, 3] },
  end: { colour: "--c-green", dash: [2, 3] },
  takeover: { colour: "--c-blue", dash: [] },
  policy: { colour: "--c-purple", dash: [8, 3] },
  node: { colour: "--c-sky", dash: [8, 3] },
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
      const key = [mark.kind, mark.at, mark.text].join();
      if (x < left || x > left + wide || drawn.has(key)) continue;
      drawn.add(key);
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

// What a paper states, as dotted lines in the colour of the runs that it is about.
function draw_stated(u, lines) {
  const ratio = devicePixelRatio || 1;
  const { left, top, width: wide, height: high } = u.bbox;
  const ctx = u.ctx;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, wide, high);
  ctx.clip();
  ctx.lineWidth = 2.5 * ratio;
  ctx.setLineDash([2 * ratio, 4 * ratio]);
  ctx.font = 11 * ratio + "px system-ui, sans-serif";
  ctx.textAlign = "right";
  ctx.textBaseline = "bottom";
  for (const line of lines) {
    const from = u.valToPos(line.from, "x", true), to = u.valToPos(line.to, "x", true);
    const y = u.valToPos(line.value, "y", true);
    ctx.strokeStyle = ctx.fillStyle = colour(line.colour);
    ctx.beginPath();
    ctx.moveTo(from, y);
    ctx.lineTo(to, y);
    ctx.stroke();
    ctx.fillText("paper: " + line.text, Math.min(to, left + wide) - 4 * ratio, y - 3 * ratio);
  }
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
