"""Checks the lists in CONTRIBUTING.md of the files that a new setting, message and so on needs.

A list begins with "Like `EXAMPLE`, in `FOLDER`, `FOLDER`:". Each item names files, which exist and contain the
example, and no other source file of the folders contains it.
"""
import os
import re

from links import read

HEAD = re.compile(r"^Like `([^`]+)`, in ((?:`[^`]+`(?:, | and )?)+):$")
SOURCES = (".cpp", ".hpp", "CMakeLists.txt")
PATH = re.compile(r"`((?:[\w.-]+/)+[\w.-]+|[A-Z]+\.md)`")
AT_LEAST = 5  # lists: a setting, a message, a policy, an architecture, a trace format


def pattern_of(example):
    """`two-level` is two_level in C++."""
    return re.compile(re.sub("[-_]", "[-_]", re.escape(example).replace(r"\-", "-")))


def lists_of(markdown):
    """Returns triples of an example, the folders, and the files of the items."""
    found, lines = [], markdown.split("\n")
    for i, line in enumerate(lines):
        head = HEAD.match(line)
        if head:
            end = i + 1
            while end < len(lines) and not lines[end].startswith("#"):
                end += 1
            text = "\n".join(lines[i + 1:end])
            found.append((head[1], re.findall(r"`([^`]+)`", head[2]), PATH.findall(text)))
    return found


def sources_with(root, folders, pattern):
    found = set()
    for folder in folders:
        for path, _, names in os.walk(os.path.join(root, folder)):
            for name in names:
                file = os.path.join(path, name)
                if name.endswith(SOURCES) and pattern.search(name + "\n" + read(file)):
                    found.add(os.path.relpath(file, root))
    return found


def wrong_recipes(root, path="CONTRIBUTING.md"):
    """Returns sentences."""
    wrong, lists = [], lists_of(read(os.path.join(root, path)))
    if len(lists) < AT_LEAST:
        wrong.append(f"{path}: {len(lists)} lists of files; expected {AT_LEAST}")
    for example, folders, files in lists:
        pattern = pattern_of(example)
        for file in files:
            if not os.path.exists(os.path.join(root, file)):
                wrong.append(f"{path}: the list for `{example}` names {file}, which does not exist")
            elif os.path.isfile(os.path.join(root, file)) and \
                    not pattern.search(file + "\n" + read(os.path.join(root, file))):
                wrong.append(f"{path}: the list for `{example}` names {file}, which does not contain it")
        for file in sorted(sources_with(root, folders, pattern) - set(files)):
            wrong.append(f"{path}: the list for `{example}` lacks {file}, which contains it")
    return wrong
