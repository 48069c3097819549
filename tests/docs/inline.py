"""Looks up the commands and options that running text has in backticks.

Commands, and options behind one, are looked up in the help of `troupe` or `./dev`; options alone in all of these, and
in the benchmarks.
"""
import glob
import re
import subprocess

from documents import subcommands_of_help
from links import read, without_code

SPAN = re.compile(r"`([^`\n]+)`")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


class Helps:
    """The help texts of the program, each asked for once."""

    def __init__(self, program, others):
        self.program, self.known = program, {}
        self.others = others  # what `./dev` and the benchmarks say of their options
        self.everywhere = self.all() + others

    def of(self, names):
        key = tuple(names)
        if key not in self.known:
            said = subprocess.run([self.program, *names, "--help"], check=False, text=True, capture_output=True)
            self.known[key] = said.stdout if said.returncode == 0 else ""
        return self.known[key]

    def all(self):
        """Returns all of them, one after the other."""
        todo = [[]]
        while todo:
            names = todo.pop()
            todo += [names + [name] for name in subcommands_of_help(self.of(names))]
        return "\n".join(self.known.values())


def has(text, option):
    return re.search(rf"(?<![\w-]){option}(?![\w-])", text) is not None


def wrong_command(helps, words):
    """Returns what is wrong with `troupe WORDS`, or nothing."""
    names, said = [], helps.of([])
    rest = [word.split("=")[0] for word in words]
    while rest and rest[0] in subcommands_of_help(helps.of(names)):
        names.append(rest.pop(0))
        said += helps.of(names)
    below = subcommands_of_help(helps.of(names))
    if below and rest and re.fullmatch(r"[a-z][a-z-]*", rest[0]) and (not names or not takes_more(helps.of(names))):
        return f"'troupe {' '.join(names + rest[:1])}' is no command; expected one of {', '.join(below)}"
    for option in OPTION.findall(" ".join(rest)):
        if not has(helps.of(names), option):
            return f"'troupe {' '.join(names + ['--help'])}' has no option {option}"
    return ""


def takes_more(text):
    """Whether a command has arguments of its own besides its subcommands."""
    return "\nPositionals:\n" in text


def wrong_in_text(helps, dev, text):
    """Returns pairs of a line and a sentence."""
    wrong = []
    for number, line in enumerate(without_code(text).split("\n"), 1):
        for span in SPAN.findall(line):
            words = span.split(" -- ")[0].split()
            said = ""
            if words and words[0] == "troupe" and len(words) > 1:
                said = wrong_command(helps, words[1:])
            elif words and words[0] == "./dev" and len(words) > 1:
                if not re.search(rf"^  {re.escape(words[1])}\b", dev, flags=re.MULTILINE):
                    said = f"'./dev help' has no {words[1]}"
                else:
                    said = next((f"'./dev help' has no {one}" for one in OPTION.findall(span) if not has(helps.others, one)), "")
            elif span.startswith("--"):
                said = next((f"no help text has the option {one}" for one in OPTION.findall(span)
                             if not has(helps.everywhere, one)), "")
            if said:
                wrong.append((number, f"`{span}`: {said}"))
    return wrong


def wrong_inline(root, documents, program):
    """Returns a sentence for each command or option that there is not, and how many spans have one."""
    dev = subprocess.run([root + "/dev", "help"], check=True, text=True, capture_output=True).stdout
    benchmarks = [read(path) for path in glob.glob(root + "/bench/**/*.cpp", recursive=True)]
    helps = Helps(program, "\n".join([dev, *benchmarks]))
    wrong, count = [], 0
    for path in documents:
        text = read(f"{root}/{path}")
        count += sum(span.startswith(("troupe ", "./dev ", "--")) for span in SPAN.findall(without_code(text)))
        wrong += [f"{path}:{line}: {said}" for line, said in wrong_in_text(helps, dev, text)]
    return wrong, count
