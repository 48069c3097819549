// How the page writes numbers, and the data that it shows.

const data = JSON.parse(document.getElementById("data").textContent);
const root = document.documentElement;
const height = 230;

// Three significant digits, with separators of thousands.
function digits(x) {
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e9 || size < 1e-4) return x.toExponential(2);
  if (size >= 100 || Number.isInteger(x)) return Math.round(x).toLocaleString("en-US");
  return x.toPrecision(3);
}

// "1 owner", "5 owners".
function count_of(n, one) {
  return digits(n) + " " + one + (n === 1 ? "" : "s");
}

// The same of what was measured, not counted: 16 is "16.0", as 15.9 is "15.9".
function measured(x) {
  const size = Math.abs(x);
  return size >= 1e-4 && size < 99.95 ? x.toPrecision(3) : digits(x);
}

function seconds(x) {
  const size = Math.abs(x);
  if (x === 0) return "0 s";
  if (size < 1e-3) return measured(x * 1e6) + " us";
  if (size < 1) return measured(x * 1e3) + " ms";
  if (size < 600) return measured(x) + " s";
  if (size < 7200) return measured(x / 60) + " min";
  return measured(x / 3600) + " h";
}

function bytes(x) {
  const names = ["B", "kB", "MB", "GB", "TB"];
  let n = 0;
  for (; Math.abs(x) >= 1000 && n + 1 < names.length; ++n) x /= 1000;
  return digits(x) + " " + names[n];
}

function text(x, unit) {
  if (x === null || x === undefined) return "-";
  if (unit === "s") return seconds(x);
  if (unit === "B") return bytes(x);
  if (unit === "%") return measured(x * 100) + " %";
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
