# Conflicts per round over K/S, as the model says (lines) and as measured (points), for 2, 10 and 20 schedulers.
names = "N=2 N=10 N=20"
set logscale xy
set format y "%g"
set xlabel "tasks of each scheduler / free slots (K/S)"
set ylabel "conflicts per round"
conflicts(n, k) = n * k - 10000 + 10000 * (1 - k / 10000.0) ** n
set key inside left top
plot [0.01:0.1] for [i=1:3] conflicts(word("2 10 20", i) + 0, 10000 * x) ls i dt 1 lw 1 title word(names, i).", model", \
  for [i=1:3] values using (strcol("series")[1:strlen(word(names, i))] eq word(names, i) && (strlen(strcol("series")) == strlen(word(names, i)) || strcol("series")[strlen(word(names, i))+1:strlen(word(names, i))+1] eq " ") ? column("K/S") : NaN):"conflicts per round" with points ls i title word(names, i).", measured"
