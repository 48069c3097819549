// Tables: all points of a plot, and sorting by a click on a column.

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
  cell(head, "th", "time");
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
