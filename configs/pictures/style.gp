# What all pictures of experiments have in common. Set before: theme (light or dark), out (the SVG) and
# data (the folder of an experiment's results). Colours are those of Okabe and Ito, which
# colour-blind readers can tell apart; each line has a dash of its own, too.
ink = theme eq "dark" ? "#E8E8E8" : "#1A1A1A"
faint = theme eq "dark" ? "#3A3F45" : "#DDDDDD"
set terminal svg size 820,420 dynamic noenhanced font "sans-serif,13" background (theme eq "dark" ? "#14171A" : "#FFFFFF")
set output out
set encoding utf8
set datafile separator comma
set datafile missing NaN
set border 3 lc rgb ink
set tics nomirror textcolor rgb ink
set xlabel textcolor rgb ink
set ylabel textcolor rgb ink
set title textcolor rgb ink
set key textcolor rgb ink outside right top Left reverse samplen 3
set grid lc rgb faint lt 1 lw 0.7
set style line 1 lc rgb "#0072B2" lw 2 dt 1 pt 7 ps 0.6
set style line 2 lc rgb "#E69F00" lw 2 dt (9,4) pt 5 ps 0.6
set style line 3 lc rgb "#009E73" lw 2 dt (2,3) pt 9 ps 0.8
set style line 4 lc rgb "#D55E00" lw 2 dt (9,3,2,3) pt 13 ps 0.9
set style line 5 lc rgb "#CC79A7" lw 2 dt (4,2) pt 11 ps 0.8
set style line 6 lc rgb (theme eq "dark" ? "#56B4E9" : "#666666") lw 2 dt (1,2) pt 6 ps 0.7
set style increment user

values = data."/values.csv"
series_of(run) = data."/runs/".run."/seed-1/timeseries.csv"
# The x of a row if it is of a series.
x_in(name) = strcol("series") eq name ? column("x") : NaN
# What the paper states over time: where the line of a row begins, and how long it is in a run of `end`
# seconds.
paper = data."/paper.csv"
stated(group, name) = strcol("column") eq name && (strcol("group") eq group || strcol("group") eq "") ? column("from") : NaN
span(end) = (strcol("to") eq "" ? end : column("to")) - column("from")
