"""Compares outputs in their shape: numbers, with their units and intervals, count as equal."""
import re

UNITS = r"(?: ?(?:ns|us|ms|s|min|h|d|%|[kM]?tasks/s|k|M|[kMG]B|[KMGT]iB|bytes?|cores?|x)\b|%| %)?"
INTERVAL = re.compile(r"\(([-+]?\d[\d.,]*) ± [\d.,]+\)(e[-+]?\d+)|([-+]?\d[\d.,]*) ± [\d.,]+(?:e[-+]?\d+)?")
NUMBER = re.compile(r"[-+±≥<]? ?\b\d[\d,]*(?:\.\d+)*(?:e[-+]?\d+)?" + UNITS)


def shape_of(text, words=()):
    """Returns the lines with a mark for each number; `words` are pairs of a pattern and its mark."""
    lines = []
    for line in text.rstrip("\n").split("\n"):
        for pattern, mark in words:
            line = re.sub(pattern, mark, line)
        line = INTERVAL.sub("0", line)
        line = NUMBER.sub(" # ", line)
        lines.append(re.sub(r"\s+", " ", line).strip())
    return lines


def unwrapped(text, indent):
    """Joins lines that are indented by so much to those before them."""
    return re.sub(rf"\n {{{indent}}}(?=\S)", " ", text)


def without_last_empty(lines):
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines


def first_difference(shown, printed):
    """Compares shapes; "..." in `shown` stands for any lines. Returns a sentence, or nothing."""
    shown, printed = without_last_empty(shown), without_last_empty(printed)
    at = 0
    skipping = False
    for line in shown:
        if line.startswith("..."):
            skipping = True
            continue
        if skipping:
            while at < len(printed) and printed[at] != line:
                at += 1
            skipping = False
        if at == len(printed):
            return f"the document shows the line '{line}', which the command did not print"
        if printed[at] != line:
            return f"the document shows '{line}', the command printed '{printed[at]}'"
        at += 1
    if at < len(printed) and not skipping:
        return f"the command printed '{printed[at]}', which the document does not show"
    return ""
