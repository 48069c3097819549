"""Finds the links of Markdown that lead to no file, or to no heading of one."""
import os
import re
import urllib.parse

FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)|\b(?:src|srcset|href)=\"([^\"]*)\"")
OUTSIDE = re.compile(r"[a-z]+:")


def without_code(markdown):
    """Leaves the lines where they are."""
    blank = FENCE.sub(lambda block: "\n" * block[0].count("\n"), markdown)
    return re.sub(r"(?m)^ {4}.*$", "", blank)


def links_of(markdown):
    """Returns pairs of a line and a target; those in code are none."""
    found = []
    for number, line in enumerate(without_code(markdown).split("\n"), 1):
        for link in LINK.finditer(CODE.sub("``", line)):
            found.append((number, link[1] if link[1] is not None else link[2]))
    return found


def slug_of(heading):
    """Returns the anchor of a heading, as GitHub and the site make it."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors_of(markdown):
    found = set()
    for heading in re.findall(r"(?m)^#{1,6} (.*)$", FENCE.sub("", markdown)):
        slug, again = slug_of(heading), 0
        while (slug if again == 0 else f"{slug}-{again}") in found:
            again += 1
        found.add(slug if again == 0 else f"{slug}-{again}")
    return found


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def dead_links(root, path):
    """Returns a sentence for each link of the file `path` below `root` that leads nowhere."""
    wrong, text = [], read(os.path.join(root, path))
    for line, target in links_of(text):
        if OUTSIDE.match(target):
            continue
        name, _, anchor = urllib.parse.unquote(target).partition("#")
        file = os.path.normpath(os.path.join(root, os.path.dirname(path), name)) if name \
            else os.path.join(root, path)
        place = f"{path}:{line}: the link to {target}"
        if not os.path.exists(file):
            wrong.append(f"{place} is dead: there is no such file")
        elif anchor and file.endswith(".md") and anchor not in anchors_of(read(file)):
            wrong.append(f"{place} is dead: no heading of {os.path.relpath(file, root)} is #{anchor}; "
                         f"expected one of {', '.join(sorted(anchors_of(read(file))))}")
    return wrong


def count_of_links(root, path):
    return sum(not OUTSIDE.match(target) for _, target in links_of(read(os.path.join(root, path))))
