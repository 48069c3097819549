# E1: mean scheduling delay of the jobs of group A and of group B over time, for quality-first, latency-first and adaptive. Quality-first climbs to nine seconds; adaptive stops at two; latency-first stays below one. Dotted lines are what the paper states: below 0.75 s, held at 1.5 s, around 10 s at the end.
runs = "quality-first latency-first adaptive"
colour_of(run) = run eq word(runs, 1) ? 0x0072B2 : run eq word(runs, 2) ? 0xE69F00 : 0x009E73 # as of the styles 1 to 3
set multiplot layout 2,1
set logscale y
set format y "%g"
set yrange [0.001:20]
set xrange [0:90]
set xtics 30
do for [group in "A B"] {
  set ylabel "delay of ".group." (s)"
  if (group eq "B") { set xlabel "time (s); three phases of load" }
  plot for [i=1:3] series_of(word(runs, i)) \
    using (strcol("group") eq group ? column("to_s") : NaN):"scheduling_delay_mean_s" \
    with lines ls i title word(runs, i), \
    paper using (stated(group, "scheduling_delay_mean_s")):"value":(span(90)):(0):(colour_of(strcol("run"))) \
    with vectors nohead lw 3 dt (1,2) lc rgb variable notitle, \
    NaN with lines lc rgb ink lw 3 dt (1,2) title "the paper states"
}
unset multiplot
