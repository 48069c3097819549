# The factor study: slots beyond what is needed over the number of schedulers, for four rates R, four sync gaps G and four variances V of the scores. More schedulers need fewer slots; a longer gap needs more.
set multiplot layout 1,3
set logscale xy
set xtics (5, 10, 20, 40)
set xrange [4:50]
set yrange [500:30000]
set key outside bottom center vertical maxrows 2
set xlabel "schedulers (N)" offset 0,0.5
set ylabel "extra slots"
rates = "R=1000 R=2000 R=4000 R=8000"
plot for [i=1:4] values using (x_in(word(rates, i))):"extra slots" with linespoints ls i title word(rates, i)."/s"
unset ylabel
gaps = "G=500ms R=4000 G=2500ms G=5s"
labels = "G=0.5s G=1s G=2.5s G=5s"
plot for [i=1:4] values using (x_in(word(gaps, i))):"extra slots" with linespoints ls i title word(labels, i)
variances = "V=0 R=4000 V=1 V=2"
labels = "V=0 V=0.5 V=1 V=2"
plot for [i=1:4] values using (x_in(word(variances, i))):"extra slots" with linespoints ls i title word(labels, i)
unset multiplot
