// The controls of the page, and its first drawing.

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
  redraw_charts();
}

if (groups.length > 1)
  add_control("group", [["", "all"]].concat(groups.map((g) => [g, g])), (chosen) => {
    group = chosen;
    draw_all();
  }, group);
add_control("colours", [["", "as the system"], ["light", "light"], ["dark", "dark"]], set_theme);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw_charts);

// Paper is light, and half of a page is narrower than a chart on the screen.
const print_width = 330;
let theme_on_screen = "";
addEventListener("beforeprint", () => {
  theme_on_screen = root.dataset.theme || "";
  set_theme("light");
  widest = print_width; // also for the observer, which sees the legends wrap
  fit_charts();
});
addEventListener("afterprint", () => {
  set_theme(theme_on_screen);
  widest = Infinity;
  fit_charts();
});

for (const plot of data.plots || []) {
  add_choice(plot);
  complete_table(plot);
}
draw_all();
(data.maps || []).forEach(start_map);
document.querySelectorAll(".canvas").forEach((host) => widths.observe(host));
