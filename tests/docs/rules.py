"""Reads the settings kept beside a document: how its commands are shortened, prepared or left out."""
import dataclasses
import os
import tomllib

from documents import one_line


class BadRule(Exception):
    pass


@dataclasses.dataclass
class Rule:
    """What holds for the commands with one text."""
    command: str = ""
    left_out: str = ""      # the reason
    python: list = dataclasses.field(default_factory=list)  # modules; it is left out where these are not
    synopsis: bool = False  # not a command but a form: its options are looked up in the help
    replace: list = dataclasses.field(default_factory=list)  # pairs of texts
    append: str = ""
    before: str = ""        # what the shell runs first
    background: bool = False
    brief: bool = False     # of one in the background: it is ended once it is up
    ready: str = ""         # a pattern in what a command in the background prints once it is up
    exit: list = dataclasses.field(default_factory=lambda: [0])
    timeout: int = 300      # s, on a host that is very busy with other tests
    output: str = ""        # why the output that the document shows is not compared
    unwrap: int = 0         # lines indented by so many spaces belong to those before
    words: list = dataclasses.field(default_factory=list)  # pairs of a pattern and a mark, in outputs
    used: bool = False


@dataclasses.dataclass
class Output:
    """A block that is what a command prints, elsewhere in the document."""
    first_line: str
    of: str
    excerpt: bool = False  # the command prints lines between these, too
    used: bool = False


@dataclasses.dataclass
class Rules:
    place: str = "no rules"
    before: str = ""
    replace: list = dataclasses.field(default_factory=list)
    rules: dict = dataclasses.field(default_factory=dict)
    outputs: list = dataclasses.field(default_factory=list)
    addresses: list = dataclasses.field(default_factory=list)  # pairs of texts

    def of(self, command):
        rule = self.rules.get(command.text, Rule())
        rule.used = True
        return rule

    def with_addresses(self, text):
        for old, new in self.addresses:
            text = text.replace(old, new)
        return text

    def unused(self):
        return ([f"{self.place}: no command is '{rule.command}'"
                 for rule in self.rules.values() if not rule.used] +
                [f"{self.place}: no block of output begins with '{output.first_line}'"
                 for output in self.outputs if not output.used])


def made(kind, values, place):
    known = {field.name for field in dataclasses.fields(kind)} - {"used", "place", "rules", "outputs", "addresses"}
    unknown = set(values) - known
    if unknown:
        raise BadRule(f"{place}: unknown key '{min(unknown)}'; expected one of {sorted(known)}")
    return kind(**values)


def read_rules(path):
    if not os.path.exists(path):
        return Rules()
    place = os.path.basename(path)
    with open(path, "rb") as file:
        content = tomllib.load(file)
    rules = made(Rules, content.get("document", {}), place)
    rules.place = place
    for values in content.get("rule", []):
        values = dict(values)
        texts = values.pop("commands", None) or [values.pop("command")]
        if isinstance(values.get("exit"), int):
            values["exit"] = [values["exit"]]
        for text in texts:
            text = one_line(text)
            if text in rules.rules:
                raise BadRule(f"{place}: two rules for '{text}'")
            rules.rules[text] = made(Rule, {"command": text, **values}, place)
    for values in content.get("output", []):
        rules.outputs.append(made(Output, values, place))
    return rules
