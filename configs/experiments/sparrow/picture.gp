# Sparrow: median response time of jobs over the load for random placement, per-task sampling, batch sampling, late binding and an omniscient scheduler.
names = "random per-task batch late-binding omniscient"
set xlabel "load"
set ylabel "median response (s)"
set yrange [0:0.6]
plot for [i=1:5] values using (strcol("series") eq word(names, i)." at load" ? column("load") : NaN):"median response (s)" with linespoints ls i title word(names, i)
