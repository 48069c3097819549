# Omega: conflicts per service job over the time of a service decision, for fine and coarse conflict detection, with and without all-or-nothing commits.
names = "fine coarse fine+all-or-nothing coarse+all-or-nothing"
set logscale xy
set format "%g"
set xlabel "decision time of a service job, t_job (s)"
set ylabel "conflict fraction of service jobs"
plot for [i=1:4] values using (x_in(word(names, i))):"service: conflict fraction" with linespoints ls i title word(names, i)
