# Sparrow: median response time of jobs over the load for random placement, per-task sampling, batch sampling, late binding and an omniscient scheduler. Squares: the ratios that the paper states at load 0.8, times what was measured of the run that each refers to.
names = "random per-task batch late-binding omniscient"
starts = "random per-task batch late"
set xlabel "load"
set ylabel "median response (s)"
set yrange [0:0.6]
plot for [i=1:5] values using (strcol("series") eq word(names, i)." at load" ? column("load") : NaN):"median response (s)" with linespoints ls i title word(names, i), \
  for [i=1:4] paper using (strstrt(strcol("says"), word(starts, i)) == 1 ? column("from") : NaN):"value" with points ls i pt 4 ps 1.8 notitle, \
  keyentry with points lc rgb ink lw 2 pt 4 ps 1.8 title "Ousterhout et al. 2013"
