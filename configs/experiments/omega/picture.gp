# Omega: conflicts per service job over the time of a service decision, for fine and coarse conflict detection, with and without all-or-nothing commits. Squares: what the paper states: fine-grained, 1 or more at about 10 s; and ratios, times what was measured of the run that each refers to.
names = "fine coarse fine+all-or-nothing coarse+all-or-nothing"
set logscale xy
set format "%g"
set xlabel "decision time of a service job, t_job (s)"
set ylabel "conflict fraction of service jobs"
line_of(says) = (says[1:1] eq "f" ? 1 : 2) + (strstrt(says, "all-or-nothing") > 0 ? 2 : 0)
plot for [i=1:4] values using (x_in(word(names, i))):"service: conflict fraction" with linespoints ls i title word(names, i), \
  for [i=1:4] paper using (line_of(strcol("says")) == i ? column("from") : NaN):"value" with points ls i pt 4 ps 2.2-0.3*i notitle, \
  keyentry with points lc rgb ink lw 2 pt 4 ps 1.8 title "Schwarzkopf et al. 2013"
