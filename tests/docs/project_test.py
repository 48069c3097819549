"""Checks what the texts of the project say of its files: links, versions, lists of files.

Usage: project_test.py SOURCE_DIR PROGRAM WORK_DIR

First it plants mistakes in a small project of its own in WORK_DIR, and sees that each is found.
"""
import glob
import os
import shutil
import subprocess
import sys

from links import anchors_of, count_of_links, dead_links, links_of
from recipes import wrong_recipes
from versions import CONSUMERS, project_version, wrong_versions

RIGHT = {
    "a.md": "# A\n\n[b](docs/b.md#two-words)\n\n```\n[no](link.md)\n```\n`[no](link.md)`\n\n## It's `so`, in all\n",
    "docs/b.md": "# B\n\n## Two words\n\n[a](../a.md), [again](#two-words-1), [out](https://example.org/)\n\n"
                 "## Two words\n",
    "CMakeLists.txt": "project(troupe VERSION 1.2.3 LANGUAGES CXX)\n",
    "debian/changelog": "troupe (1.2.3) bookworm; urgency=medium\n",
    "CHANGELOG.md": "# Changelog\n\n## 1.2.3\n\n## 1.2.2\n",
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
    ("CMakeLists.txt", "1.2.3", "1.3.3", "it asks for Troupe 1.2; expected 1.3"),
    ("CONTRIBUTING.md", "src/uses.hpp", "src/gone.hpp", "names src/gone.hpp, which does not exist"),
    ("CONTRIBUTING.md", "src/uses.hpp", "src/other.cpp", "names src/other.cpp, which does not contain it"),
    ("src/other.cpp", "none", "one_two", "lacks src/other.cpp, which contains it"),
]


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


def main():
    source, program, work = (os.path.abspath(each) for each in sys.argv[1:4])
    plant_all(work)
    printed = subprocess.run([program, "--version"], check=True, text=True, capture_output=True).stdout
    wrong = all_wrong(source, printed)
    files = documents(source)
    print(f"version {project_version(source)}; {sum(count_of_links(source, each) for each in files)} links in "
          f"{len(files)} documents")
    for sentence in wrong:
        print("WRONG " + sentence)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
