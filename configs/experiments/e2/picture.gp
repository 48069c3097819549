# E2: mean scheduling delay and mean quality over time for latency-first, adaptive, quality-first and StateSync. Under StateSync the delay grows from the second phase on; under ParSync it stays below ten seconds.
runs = "latency-first adaptive quality-first statesync"
set multiplot layout 2,1
set xrange [0:300]
set xtics 60
set ylabel "delay (s)"
set logscale y
set yrange [0.001:200]
set format y "%g"
plot for [i=1:4] series_of(word(runs, i)) using "to_s":"scheduling_delay_mean_s" with lines ls i title word(runs, i)
unset logscale y
set yrange [1.1:1.35]
set ylabel "quality (score)"
set xlabel "time (s); phases of 50, 80, 95, 80 and 50 % of the capacity"
plot for [i=1:4] series_of(word(runs, i)) using "to_s":"quality_mean" with lines ls i title word(runs, i)
unset multiplot
