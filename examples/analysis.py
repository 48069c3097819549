#!/usr/bin/env python3
"""Three figures from the records of a run.

    troupe run configs/quickstart.toml --records tasks
    python3 examples/analysis.py results/quickstart-1 figures

Needs Debian's python3-pandas and python3-matplotlib. The marks "# %%" begin cells: editors such as
Spyder, VS Code and Jupyter (with jupytext) run the file cell by cell. Then set RUN and OUT below.
"""

# %% What to read, and where the figures go
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # draws into files; leave this out in a notebook
import matplotlib.pyplot as plt
import pandas as pd

RUN = Path(sys.argv[1] if len(sys.argv) > 1 else "results/quickstart-1")
OUT = Path(sys.argv[2] if len(sys.argv) > 2 else ".")

# Colours that colour-blind readers can tell apart (Okabe and Ito).
BLUE, ORANGE, GREEN, RED, SKY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9"
plt.rcParams.update({"figure.figsize": (7, 4), "figure.dpi": 120, "axes.grid": True,
                     "grid.alpha": 0.3, "axes.spines.top": False, "axes.spines.right": False})


# %% Read the records
def read(name):
    """Returns a file of records, or ends with a message that says how to make it."""
    path = RUN / name
    if not path.exists():
        sys.exit(f"analysis.py: {path} is missing; make it by: troupe run CONFIG --records tasks")
    return pd.read_csv(path)


jobs = read("jobs.csv.gz")
tasks = read("tasks.csv.gz")
attempts = read("attempts.csv.gz")


def save(figure, name):
    OUT.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(OUT / name)
    plt.close(figure)
    print(OUT / name)


# %% 1. Slowdown of jobs
# A job's slowdown is its response time over the run time of its longest chain of tasks.
finished = jobs[jobs.state == "finished"]
print(finished.groupby("group").slowdown.describe(percentiles=[0.5, 0.9, 0.99])
      .to_string(float_format="%.4g"))

figure, axes = plt.subplots()
styles = ((BLUE, "-"), (ORANGE, "--"), (GREEN, ":"), (RED, "-."), (SKY, "-"))
for (group, values), (colour, style) in zip(finished.groupby("group").slowdown, styles):
    ordered = values.sort_values().to_numpy()
    share = 100 * (1 - pd.RangeIndex(len(ordered)) / len(ordered))
    axes.step(ordered, share, style, where="post", color=colour, label=f"group {group}")
axes.set(title="Slowdown of finished jobs", xlabel="slowdown (response / ideal)",
         ylabel="jobs with at least this slowdown (%)", xscale="log", yscale="log")
for axis in (axes.xaxis, axes.yaxis):
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter("")
axes.legend()
save(figure, "slowdown.png")

# %% 2. Where the time of tasks goes
# Means over the tasks that became eligible in each of 60 parts of the run. The columns are empty
# where schedulers make no decisions on a view (Sparrow): there the whole delay is a wait.
steps = {"wait_s": "waits in the queue", "decision_s": "is decided on", "commit_s": "is committed"}
if tasks.decision_s.isna().all():
    steps = {"scheduling_delay_s": "waits until it starts"}
part = tasks.eligible_s.max() / 60
means = 1000 * tasks.groupby((tasks.eligible_s // part) * part)[list(steps)].mean()

figure, axes = plt.subplots()
axes.stackplot(means.index, means.fillna(0).T, labels=[f"task {s}" for s in steps.values()],
               colors=[SKY, GREEN, ORANGE], step="post")
axes.set(title="Scheduling delay by step", xlabel="task became eligible at (s)", ylabel="mean (ms)")
axes.margins(x=0)
axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16), ncol=3, frameon=False)
save(figure, "steps.png")

# %% 3. Conflicts by the age of the view
# Each refused placement is a row of attempts; each task has the age of its last, granted one.
ages = pd.concat([pd.DataFrame({"age": attempts.view_age_s, "refused": True}),
                  pd.DataFrame({"age": tasks.view_age_s[tasks.granted_s.notna()],
                                "refused": False})]).dropna()

figure, axes = plt.subplots()
if ages.empty or ages.age.max() == 0:
    axes.text(0.5, 0.5, "Views of this architecture have no age.", ha="center",
              transform=axes.transAxes)
else:
    width = ages.age.quantile(0.999) / 10
    grouped = ages.groupby((ages.age // width).clip(upper=9) * width).refused
    share, count = 100 * grouped.mean(), grouped.size()
    error = (share * (100 - share) / count) ** 0.5 * 1.96  # 95 %, as of a binomial share
    below = error.clip(upper=share)
    axes.bar(share.index + width / 2, share, 0.9 * width, color=BLUE, yerr=[below, error],
             capsize=3)
axes.set(title="Refused placements", xlabel="age of the view at the decision (s)",
         ylabel="refused (% of the placements)")
save(figure, "conflicts.png")
