# E1: mean scheduling delay of the jobs of group A and of group B over time, for quality-first, latency-first and adaptive. Quality-first climbs to nine seconds; adaptive stops at two; latency-first stays below one.
runs = "quality-first latency-first adaptive"
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
    with lines ls i title word(runs, i)
}
unset multiplot
