# Offers: mean delay of batch tasks over the decision time of the service framework, under two-level scheduling and with a shared state. Offers that the slow framework holds starve the batch framework.
set logscale xy
set format "%g"
set xlabel "decision time of a service job, t_job (s)"
set ylabel "mean delay of batch tasks (s)"
names = "two-level statesync"
plot for [i=1:2] values using (x_in(word(names, i))):"batch delay (s)" with linespoints ls i title word(names, i), \
  values using (x_in("time-out")):"batch delay (s)" with linespoints ls 3 title "two-level, offers time out", \
  values using (x_in("in turn")):"batch delay (s)" with linespoints ls 4 title "two-level, all offers in turn"
