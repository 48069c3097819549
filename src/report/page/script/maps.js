// The maps of partitions over time: the values of the cell at the cursor. Their data is described in
// partition_maps.hpp.

function map_cell_text(map, t, p) {
  const i = t * map.first.length + p;
  const last = (p + 1 < map.first.length ? map.first[p + 1] : map.partitions) - 1;
  const name = last > map.first[p] ? "partitions " + map.first[p] + " to " + last : "partition " + last;
  const all = map.placed[i] + map.conflicts[i];
  const parts = [];
  if (map.load[i] !== null) parts.push("load " + text(map.load[i] / 1000, "%"));
  if (map.age[i] !== null)
    parts.push("age " + seconds(map.age[i] / 1000) + ", at most " + seconds(map.oldest[i] / 1000));
  parts.push(digits(map.placed[i] || 0) + " placed", digits(map.conflicts[i] || 0) + " conflicts" +
    (all > 0 ? " (" + text(map.conflicts[i] / all, "%") + ")" : ""));
  return name + ", " + +map.from[t].toFixed(3) + " to " + +map.to[t].toFixed(3) + " s: " + parts.join(", ");
}

function start_map(map, number) {
  const figure = document.getElementById("map-" + number);
  const out = figure.querySelector(".cell");
  const wide = map.to.length, high = map.first.length;
  const idle = "Point at a cell, or use the arrow keys on the map.";
  const frame = document.createElement("b");
  let at = null;
  const show = (cells, t, p) => {
    at = [Math.max(0, Math.min(wide - 1, t)), Math.max(0, Math.min(high - 1, p))];
    out.textContent = map_cell_text(map, at[0], at[1]);
    frame.style.cssText = "left:" + 100 * at[0] / wide + "%;top:" + 100 * at[1] / high + "%;width:" +
      100 / wide + "%;height:" + 100 / high + "%";
    cells.append(frame);
  };
  out.textContent = idle;
  for (const cells of figure.querySelectorAll(".cells")) {
    const point = (event) => {
      const box = cells.getBoundingClientRect();
      show(cells, Math.floor((event.clientX - box.left) / box.width * wide),
           Math.floor((event.clientY - box.top) / box.height * high));
    };
    cells.addEventListener("pointermove", point);
    cells.addEventListener("pointerdown", point);
    cells.addEventListener("pointerleave", () => {
      frame.remove();
      out.textContent = idle;
    });
    cells.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!by) return;
      event.preventDefault();
      show(cells, at ? at[0] + by[0] : 0, at ? at[1] + by[1] : 0);
    });
  }
}
