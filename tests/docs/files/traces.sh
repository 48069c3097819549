# Writes small tables in the format of the Google trace of 2011 to clusterdata-2011-2: 60 machines, 60 jobs.
mkdir -p clusterdata-2011-2/task_events clusterdata-2011-2/machine_events
awk 'BEGIN {
  for (i = 1; i <= 60; ++i) printf "0,%d,0,platform,0.5,0.5\n", i
}' >clusterdata-2011-2/machine_events/part-00000-of-00001.csv
awk 'BEGIN {
  rest = "user,0,2,0.0125,0.01553,0.0003,0"
  for (i = 0; i < 60; ++i) {
    job = 100 + i
    t = 600 + 2 * i
    printf "%d000000,,%d,0,77,0,%s\n", t, job, rest
    printf "%d500000,,%d,0,77,1,%s\n", t, job, rest
    printf "%d900000,,%d,0,77,4,%s\n", t, job, rest
  }
}' >clusterdata-2011-2/task_events/part-00000-of-00500.csv
