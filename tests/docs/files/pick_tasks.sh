# pick_tasks.sh RESULTS: prints a task that was refused once before it ran, the machine that was taken, and
# the last task that waits at the end, and
# one that waits for room.
refused=$(zcat "$1/attempts.csv.gz" | awk -F, '
  NR > 1 && $4 == 1 && $9 == "taken" { machine[$2 "." $3] = $8 }
  NR > 1 && $4 == 2 { delete machine[$2 "." $3] }
  END { for (task in machine) { print task, machine[task]; exit } }')
waiting=$(zcat "$1/tasks.csv.gz" | awk -F, '
  $10 == "queued" { last = $1 "." $2 }
  $10 == "queued" && $(NF - 2) != "behind_others" { refused = $1 "." $2 }
  END { print last, refused ? refused : last }')
echo "${refused:-none none} $waiting"
