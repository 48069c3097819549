"""Runs every command that the documents and the help texts show, by the rules beside them in `rules`.

Usage: commands_test.py SOURCE_DIR BUILD_DIR WORK_DIR [--prefix PREFIX] [--times] [DOCUMENT...]

Installs BUILD_DIR below WORK_DIR, which is emptied first, or takes what is installed in PREFIX. Fails if a
command does, if it prints something of another shape than the document shows, or if a rule fits nothing.
"""
import argparse
import concurrent.futures
import glob
import os
import resource
import shutil
import subprocess
import sys
import tomllib

from check import Checker, Outcome
from documents import Unclear, commands_of_help, commands_of_markdown, subcommands_of_help
from rules import BadRule, read_rules
from shell import Shell

AT_A_TIME = 3  # documents, as most of their time is spent waiting for clusters
HERE = os.path.dirname(os.path.abspath(__file__))
HELP = "help"


class Installation:
    """The program as it is installed, with copies of its settings, of which some are shorter."""

    def __init__(self, prefix, work, rules):
        self.prefix, self.work = prefix, work
        self.environment = {
            "PATH": os.path.join(prefix, "bin") + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": os.path.join(work, "home"), "LANG": "C.UTF-8", "TERM": "dumb",
            "MANPAGER": "cat", "PREFIX": prefix}
        self.helps = {}
        self.data = os.path.join(work, "data")
        for folder in ("configs", "examples"):
            shutil.copytree(os.path.join(prefix, "share/troupe", folder), os.path.join(self.data, folder))
        shutil.copytree(os.path.join(os.path.dirname(rules), "files"), self.data, dirs_exist_ok=True)
        os.makedirs(self.environment["HOME"])
        with open(os.path.join(rules, "configs.toml"), "rb") as file:
            self.shortened = tomllib.load(file)
        for name, change in self.shortened.items():
            self.shorten(os.path.join(self.data, name), change)

    def troupe(self, *arguments):
        return subprocess.run([os.path.join(self.prefix, "bin/troupe"), *arguments], text=True,
                              env=self.environment, capture_output=True, check=False)

    def shorten(self, path, change):
        said = self.troupe("config", path, *(part for one in change["set"] for part in ("--set", one)))
        if said.returncode != 0:
            raise BadRule(f"configs.toml: {path}: {said.stderr}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(said.stdout)

    def help_of(self, names):
        """Returns the help of a subcommand, or nothing if there is none."""
        key = " ".join(names)
        if key not in self.helps:
            said = self.troupe(*names, "--help")
            self.helps[key] = said.stdout if said.returncode == 0 else ""
        return self.helps[key]

    def commands_of_helps(self):
        """Returns the examples of all help texts, each once."""
        found, todo = {}, [[]]
        while todo:
            names = todo.pop(0)
            text = self.help_of(names)
            for command in commands_of_help(" ".join(["troupe", *names, "--help"]), text):
                found.setdefault(command.text, command)
            todo += [names + [name] for name in subcommands_of_help(text)]
        return list(found.values())


def check_document(installation, rules_folder, name, number, commands, others):
    """Returns the outcome; every document has a directory and addresses of loopback of its own."""
    file = name.removeprefix("docs/").removesuffix(".md")
    rules = read_rules(os.path.join(rules_folder, file + ".toml"))
    network = f"127.{16 + os.getpid() % 200}.{number}."
    rules.addresses = [("127.0.0.1", network + "1"), ("10.0.0.", network)]
    folder = os.path.join(installation.work, file)
    shell = Shell(folder, installation.environment)
    shutil.copytree(installation.data, shell.folder, dirs_exist_ok=True)
    checker = Checker(shell, installation.help_of, installation.shortened)
    return checker.document(name, commands, others, rules)


def outcome_of(check, name, *arguments):
    try:
        return check(name, *arguments)
    except BadRule as bad:
        return Outcome(name, wrong=[str(bad)])


def read_documents(source, installation):
    """Returns for each document its name, its commands and its other blocks."""
    found = []
    for path in ["README.md", "CONTRIBUTING.md", *sorted(glob.glob("docs/*.md", root_dir=source))]:
        with open(os.path.join(source, path), encoding="utf-8") as file:
            found.append((path, *commands_of_markdown(path, file.read())))
    found.append((HELP, installation.commands_of_helps(), []))
    return found


def unknown_rules(folder, documents):
    known = {name.removeprefix("docs/").removesuffix(".md") for name, _, _ in documents} | {"configs"}
    return [f"{path}: there is no such document" for path in sorted(os.listdir(folder))
            if path.removesuffix(".toml") not in known]


def print_outcomes(outcomes):
    print(f"{'document':<26}{'found':>7}{'run':>6}{'shortened':>11}{'compared':>10}{'forms':>7}"
          f"{'left out':>10}")
    columns = ("found", "run", "shortened", "compared", "forms")
    total = [0] * 6
    for outcome in outcomes:
        row = [getattr(outcome, column) for column in columns] + [len(outcome.left_out)]
        total = [a + b for a, b in zip(total, row)]
        if outcome.found:
            print_row(outcome.document, row)
    print_row("all", total)
    reasons = {}
    for outcome in outcomes:
        for command, reason in outcome.left_out:
            reasons.setdefault(reason, []).append(f"{command.place()}: {command.text}")
    for reason, commands in sorted(reasons.items()):
        print(f"\nleft out, {len(commands)}: {reason}")
        for command in commands:
            print("  " + command)
    for outcome in outcomes:
        for sentence in outcome.wrong:
            print("\nWRONG " + sentence)


def print_row(name, row):
    print(f"{name:<26}{row[0]:>7}{row[1]:>6}{row[2]:>11}{row[3]:>10}{row[4]:>7}{row[5]:>10}")


def most_commands_first(documents):
    """Returns pairs of a number and a document."""
    return sorted(enumerate(documents, 1), key=lambda each: -len(each[1][1]))


def check_all(source, prefix, work, rules_folder, only=()):
    """Returns the outcomes of all documents, or of those in `only`."""
    installation = Installation(prefix, work, rules_folder)
    documents = read_documents(source, installation)
    outcomes = [Outcome("rules", wrong=unknown_rules(rules_folder, documents))]
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        waiting = [pool.submit(outcome_of, lambda name, *rest:
                               check_document(installation, rules_folder, name, *rest),
                               name, number, commands, others)
                   for number, (name, commands, others) in most_commands_first(documents)
                   if not only or name in only]
        outcomes += [each.result() for each in waiting]
    return outcomes


def install(build, prefix):
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True,
                   stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("build")
    parser.add_argument("work")
    parser.add_argument("--prefix")
    parser.add_argument("--times", action="store_true")
    parser.add_argument("documents", nargs="*")
    options = parser.parse_intermixed_args()
    work = os.path.abspath(options.work)
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    prefix = os.path.abspath(options.prefix or os.path.join(work, "prefix"))
    if not options.prefix:
        install(options.build, prefix)
    try:
        outcomes = check_all(options.source, prefix, work, os.path.join(HERE, "rules"),
                             options.documents)
    except (BadRule, Unclear) as bad:
        sys.exit(str(bad))
    print_outcomes(outcomes)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    if options.times:
        for seconds, text in sorted((each for one in outcomes for each in one.times), reverse=True)[:30]:
            print(f"{seconds:7.2f} s  {text}")
    print(f"\n{used.ru_utime + used.ru_stime:.0f} s of CPU time")
    return any(outcome.wrong for outcome in outcomes)


if __name__ == "__main__":
    sys.exit(main())
