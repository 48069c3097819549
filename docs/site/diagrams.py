"""Makes the page with a diagram for each architecture from the sources in `diagrams`."""
import glob
import os
import re
import subprocess

ORDER = ("parsync", "statesync", "two-level", "static", "monolithic", "sparrow", "hybrid")


def svg_of(file):
    """Returns the picture as an element; the page's style gives it the colours of the theme."""
    drawn = subprocess.run(["dot", "-Tsvg", file], check=True, text=True, capture_output=True).stdout
    drawn = drawn[drawn.index("<svg"):]
    drawn = re.sub(r"<!--.*?-->\n?", "", drawn, flags=re.DOTALL)
    drawn = re.sub(r' id="[^"]*"', "", drawn)
    drawn = re.sub(r'<polygon fill="white"[^>]*/>\n?', "", drawn, count=1)
    return "\n".join(line for line in drawn.split("\n") if line.strip())


def section(file):
    with open(file, encoding="utf-8") as stream:
        comment = [line[3:].strip() for line in stream if line.startswith("// ")]
    name = os.path.basename(file).removesuffix(".dot")
    return f"\n## {comment[0]}\n\n`architecture = \"{name}\"`. {' '.join(comment[1:])}\n\n" \
        f"<div class=\"diagram\">\n{svg_of(file)}\n</div>\n"


def diagrams_page(folder):
    files = {os.path.basename(file).removesuffix(".dot"): file for file in glob.glob(folder + "/*.dot")}
    if sorted(files) != sorted(ORDER):
        raise SystemExit(f"{folder} has {sorted(files)}; expected {sorted(ORDER)}")
    return "# Architectures in pictures\n\nWho sends what to whom. Boxes are actors; broken lines are messages " \
        "that bring or begin news of the state. [Architecture](architecture.md) explains the parts.\n" + \
        "".join(section(files[name]) for name in ORDER)
