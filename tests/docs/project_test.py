"""Checks what the texts of the project say of its files and commands: links, versions, lists of files, options.

Usage: project_test.py SOURCE_DIR PROGRAM WORK_DIR

First it plants mistakes in a small project of its own in WORK_DIR, and sees that each is found.
"""
import glob
import os
import shutil
import subprocess
import sys

from inline import Helps, wrong_in_text, wrong_inline
from links import anchors_of, count_of_links, dead_links, links_of
from recipes import wrong_recipes
from versions import CONSUMERS, project_version, wrong_versions

RIGHT = {
    "a.md": "# A\n\n[b](docs/b.md#two-words)\n\n```\n[no](link.md)\n```\n`[no](link.md)`\n\n## It's `so`, in all\n",
    "docs/b.md": "# B\n\n## Two words\n\n[a](../a.md), [again](#two-words-1), [out](https://example.org/)\n\n"
                 "## Two words\n",
    "CMakeLists.txt": "project(troupe VERSION 1.2.3 LANGUAGES CXX)\n",
    "debian/changelog": "troupe (1.2.3) bookworm; urgency=medium\n",
    "CHANGELOG.md": "# Changelog\n\n## 1.2.3\n\nFormats: results 1, `--json` 1, protocol between nodes 18.\n\n"
                    "## 1.2.2\n",
    "src/report/results/results_format.hpp": "results_format = 1;\n",
    "apps/troupe/support/json_output.hpp": "json_format = 1;\n",
    "src/nodes/routing/node_messages.hpp": "protocol_version = 18;\n",
    "src/one_two.cpp": "",
    "src/uses.hpp": "one-two\n",
    "src/other.cpp": "none\n",
    "CONTRIBUTING.md": "### A thing\n\nLike `one-two`, in `src`:\n\n1. `src/one_two.cpp`\n2. `src/uses.hpp`\n\n" * 5,
} | {path: "find_package(Troupe 1.2 REQUIRED)\n" for path in CONSUMERS}

# A file, what it has instead of a text, and a part of what the check says.
PLANTED = [
    ("a.md", "docs/b.md#", "docs/c.md#", "there is no such file"),
    ("a.md", "#two-words", "#two-word", "no heading of docs/b.md is #two-word;"),
    ("docs/b.md", "#two-words-1", "#two-words-2", "is #two-words-2"),
    ("debian/changelog", "1.2.3", "1.2.4", "debian/changelog: its latest version is 1.2.4; expected 1.2.3"),
    ("CHANGELOG.md", "## 1.2.3", "## 1.2.1", "CHANGELOG.md: its latest version is 1.2.1"),
    ("CHANGELOG.md", "nodes 18", "nodes 17", "its formats have protocol between nodes 17; expected 18"),
    ("CHANGELOG.md", "results 1, ", "", "its formats have none of src/report/results/results_format.hpp"),
    ("CMakeLists.txt", "1.2.3", "1.3.3", "it asks for Troupe 1.2; expected 1.3"),
    ("CONTRIBUTING.md", "src/uses.hpp", "src/gone.hpp", "names src/gone.hpp, which does not exist"),
    ("CONTRIBUTING.md", "src/uses.hpp", "src/other.cpp", "names src/other.cpp, which does not contain it"),
    ("src/other.cpp", "none", "one_two", "lacks src/other.cpp, which contains it"),
]

# Running text, and a part of what the check says of it.
PLANTED_SPANS = [
    ("`troupe runn`", "'troupe runn' is no command"),
    ("`troupe cluster upp --nodes 4`", "'troupe cluster upp' is no command"),
    ("`troupe run x.toml --sed 2`", "'troupe run --help' has no option --sed"),
    ("`./dev tests`", "'./dev help' has no tests"),
    ("`./dev docs --server`", "'./dev help' has no --server"),
    ("`--recods`", "no help text has the option --recods"),
]
RIGHT_SPANS = "`troupe run x.toml --seed 2`, `troupe run --help`, `troupe cluster up --nodes 4`, `./dev docs --serve`, " \
    "`--records jobs`, `troupe submit -- make --all`, `troupe` and\n\n```\n`troupe runn`\n```\n"


def documents(root):
    """Returns the Markdown of the project; a folder's README is one, too."""
    found = sorted(glob.glob("*.md", root_dir=root) + glob.glob("docs/*.md", root_dir=root))
    for folder in ("src", "apps", "examples", "configs", "bench", "tests"):
        found += sorted(glob.glob(folder + "/**/*.md", root_dir=root, recursive=True))
    return found


def all_wrong(root, printed):
    return [sentence for path in documents(root) for sentence in dead_links(root, path)] + \
        wrong_versions(root, printed) + wrong_recipes(root)


def write_all(root, files):
    shutil.rmtree(root, ignore_errors=True)
    for path, text in files.items():
        os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.write(text)


def expect(what, holds, seen):
    if not holds:
        sys.exit(f"{what}: {seen}")


def plant_all(root):
    write_all(root, RIGHT)
    right = all_wrong(root, "troupe 1.2.3\n")
    expect("a right project", not right, right)
    expect("links", len(links_of(RIGHT["docs/b.md"])) == 3 and len(links_of(RIGHT["a.md"])) == 1, "")
    expect("an anchor", "its-so-in-all" in anchors_of(RIGHT["a.md"]), anchors_of(RIGHT["a.md"]))
    for path, old, new, said in PLANTED:
        write_all(root, RIGHT | {path: RIGHT[path].replace(old, new)})
        wrong = all_wrong(root, "troupe 1.2.3\n")
        expect(f"{path} with '{new}' was not found", any(said in one for one in wrong), wrong)
    write_all(root, RIGHT)
    wrong = all_wrong(root, "troupe 1.2.2\n")
    expect("another program was not found", any("prints 'troupe 1.2.2'" in one for one in wrong), wrong)
    print(f"{len(PLANTED) + 1} planted mistakes were found")


def plant_spans(program):
    dev = "  docs --serve            show it\n"
    helps = Helps(program, dev)
    wrong = wrong_in_text(helps, dev, RIGHT_SPANS)
    expect("right spans", not wrong, wrong)
    for span, said in PLANTED_SPANS:
        wrong = wrong_in_text(helps, dev, f"Text {span} text.\n")
        expect(f"{span} was not found", len(wrong) == 1 and said in wrong[0][1], wrong)
    print(f"{len(PLANTED_SPANS)} planted commands and options were found")


def main():
    source, program, work = (os.path.abspath(each) for each in sys.argv[1:4])
    plant_all(work)
    plant_spans(program)
    printed = subprocess.run([program, "--version"], check=True, text=True, capture_output=True).stdout
    files = documents(source)
    inline, commands = wrong_inline(source, files, program)
    wrong = all_wrong(source, printed) + inline
    print(f"version {project_version(source)}; {sum(count_of_links(source, each) for each in files)} links and "
          f"{commands} commands and options in {len(files)} documents")
    for sentence in wrong:
        print("WRONG " + sentence)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
