"""Runs the commands of one document by its rules."""
import dataclasses
import re
import shlex

from documents import subcommands_of_help
from shape import first_difference, shape_of, unwrapped
from shell import Failure


@dataclasses.dataclass
class Outcome:
    """What became of the commands of one document."""
    document: str
    found: int = 0
    run: int = 0
    shortened: int = 0
    compared: int = 0                                          # outputs
    forms: int = 0                                             # whose options were looked up
    times: list = dataclasses.field(default_factory=list)      # pairs of s of CPU time and a command
    left_out: list = dataclasses.field(default_factory=list)   # pairs of a command and the reason
    wrong: list = dataclasses.field(default_factory=list)      # sentences


def attach_outputs(commands, others, rules):
    """Gives commands the output that the document shows in blocks of its own."""
    for output in rules.outputs:
        for block in others:
            if block.lines and block.lines[0] == output.first_line:
                for command in commands:
                    if command.text == output.of and not command.output:
                        command.output = block.lines
                        if output.excerpt:
                            command.output = [line for one in block.lines for line in ("...", one)] + ["..."]
                        output.used = True
                        break


def replaced(text, rules, rule):
    """Returns the text of a command with what the rules replace and append."""
    for old, new in rules.replace:
        text = text.replace(old, new)
    for old, new in rule.replace:
        if old not in text:
            raise Failure(f"{rules.place} replaces '{old}' in it, which is not there")
        text = text.replace(old, new)
    return rules.with_addresses(f"{text} {rule.append}".strip())


def compare(command, rule, printed, both):
    def shape(text):
        return shape_of(unwrapped(text, rule.unwrap) if rule.unwrap else text, rule.words)
    shown = shape("\n".join(command.output))
    difference = first_difference(shown, shape(printed))
    if difference and first_difference(shown, shape(both)):
        raise Failure(f"{difference}\nit printed:\n{both}")


class Checker:
    """`shortened` are the files of settings that are shorter than those installed."""

    def __init__(self, shell, help_of, shortened):
        self.shell, self.help_of, self.shortened = shell, help_of, shortened

    def missing(self, modules):
        """Returns the reason to leave out a command that needs modules of Python, or nothing."""
        if not modules or self.shell.run(f"/usr/bin/python3 -c 'import {', '.join(modules)}'", 60)[0] == 0:
            return ""
        return f"it needs Python's {' and '.join(modules)}, which are not installed here"

    def look_up(self, text):
        """Looks up the options of a form in the help of its subcommand."""
        words = text.split()[1:]
        names = []
        while words and words[0] in subcommands_of_help(self.help_of(names)):
            names.append(words.pop(0))
        if not names:
            raise Failure("it names no subcommand")
        for option in re.findall(r"(?<![\w-])--[a-z][-a-z]*", text):
            if not re.search(rf"(?<![\w-]){option}(?![\w-])", self.help_of(names)):
                raise Failure(f"'troupe {' '.join(names)} --help' has no option {option}")

    def write(self, name, text):
        """Writes a file that the document shows into the directory in which the next command runs."""
        code, _, both = self.shell.run(f"cat >{shlex.quote(name)} <<'END OF FILE'\n{text}END OF FILE", 60)
        if code != 0:
            raise Failure(f"it cannot be written as {name}: {both}")

    def one(self, command, rules, outcome):
        if command.file:
            self.write(command.file, command.text)
            return
        rule = rules.of(command)
        reason = rule.left_out or command.left_out or self.missing(rule.python)
        if reason:
            outcome.left_out.append((command, reason))
            return
        if rule.synopsis:
            self.look_up(command.text)
            outcome.forms += 1
            return
        text = replaced(command.text, rules, rule)
        if rule.before:
            self.prepare(rules.with_addresses(rule.before))
        if rule.background:
            self.shell.run_in_background(text, rule.ready, rule.exit if rule.exit != [0] else [0, 130])
            if rule.brief:
                outcome.wrong += self.shell.end_jobs(1)
        else:
            code, printed, both = self.shell.run(text, rule.timeout)
            if code not in rule.exit:
                raise Failure(f"it ended with {code}, expected {rule.exit}; it was run as\n"
                              f"    {text}\nand printed\n{both}")
            if command.output and not rule.output:
                compare(command, rule, printed, both)
                outcome.compared += 1
            outcome.times.append((self.shell.cpu_time(), text))
        outcome.run += 1
        if text != command.text or any(file in text for file in self.shortened):
            outcome.shortened += 1

    def prepare(self, text):
        code, _, both = self.shell.run("set -e\n" + text, 120)
        if code != 0:
            raise Failure(f"what the rules run before ended with {code}:\n{text}\n{both}")

    def document(self, name, commands, others, rules):
        outcome = Outcome(name, found=sum(not command.file for command in commands))
        attach_outputs(commands, others, rules)
        try:
            if rules.before:
                self.prepare(rules.with_addresses(rules.before))
            for command in commands:
                try:
                    self.one(command, rules, outcome)
                except Failure as failure:
                    outcome.wrong.append(f"{command.place()}: {command.text}\n{failure}")
        except Failure as failure:
            outcome.wrong.append(f"{name}: {failure}")
        finally:
            outcome.wrong += self.shell.end_jobs()
        outcome.wrong += rules.unused()
        return outcome
