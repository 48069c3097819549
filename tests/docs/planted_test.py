"""Plants mistakes in documents and in rules, and sees that the check of the commands finds each.

Usage: planted_test.py PROGRAM WORK_DIR
"""
import os
import shutil
import sys

from check import Checker
from documents import Unclear, commands_of_help, commands_of_markdown
from rules import BadRule, read_rules
from shell import Shell

RIGHT = """
Text, and a command with its output:

    $ seq 7 8 | sed 's/$/ tasks/'    # a comment
    3 tasks
    4,000 tasks

<!-- not run: needs another host -->

```
ssh far
```

```
troupe config \\
  >my.toml
cat my.toml | grep '^seed'
```

<!-- file: own.toml -->

```toml
seed = 7 # mine
[cluster]
```

    $ cat own.toml
    seed = 7 # mine
    [cluster]
"""

# Each with a part of what the check says.
PLANTED = {
    "an option that is not there": ("    troupe config --sed 2", "--sed"),
    "a subcommand that is not there": ("    troupe runn my.toml", "it ended with"),
    "a mistake in a file of the document": ("<!-- file: x.toml -->\n```toml\nsede = 1\n```\n\n    troupe config x.toml",
                                            "sede"),
    "a file that is not there": ("    troupe run absent.toml", "absent.toml"),
    "another output": ("    $ echo 3 tasks have run\n    4 tasks have failed", "have failed"),
    "a line less than is printed": ("    $ printf 'a\\nb\\n'\n    a", "printed 'b'"),
    "a line more than is printed": ("    $ echo a\n    a\n    b", "did not print"),
    "an option of a form that is not there": ("    troupe form FILE [--absent]", "names no subcommand"),
    "an option of another form": ("    troupe run FILE [--absent]", "--absent"),
    "a command without an end": ("    sh -c 'while :; do :; done'", "did not end within"),
    "a cluster that does not come up": ("    troupe cluster down", "it ended with"),
}

RULES = """
[[rule]]
commands = ["troupe form FILE [--absent]", "troupe run FILE [--absent]"]
synopsis = true

[[rule]]
command = "sh -c 'while :; do :; done'"
timeout = 1

[[rule]]
command = "troupe cluster down"
background = true
ready = "is up"
"""


class Planting:
    def __init__(self, program, work):
        self.program, self.work, self.count = program, work, 0
        self.environment = {"PATH": os.path.dirname(program) + ":/usr/bin:/bin", "HOME": work}

    def help_of(self, names):
        shell = Shell(self.folder(), self.environment)
        code, printed, _ = shell.run(f"troupe {' '.join(names)} --help", 60)
        return printed if code == 0 else ""

    def folder(self):
        self.count += 1
        return os.path.join(self.work, str(self.count))

    def check(self, markdown, rules_text):
        commands, others = commands_of_markdown("planted.md", markdown)
        folder = self.folder()
        os.makedirs(folder)
        path = os.path.join(folder, "planted.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(rules_text)
        shell = Shell(folder, self.environment)
        return Checker(shell, self.help_of, {}).document("planted.md", commands, others, read_rules(path))


def expect(what, holds, seen):
    if not holds:
        sys.exit(f"{what}: {seen}")


def raises(kind, function, *arguments):
    try:
        function(*arguments)
    except kind as error:
        return str(error)
    return ""


def rules_without_others(markdown):
    """Returns those of RULES that are about a command of `markdown`."""
    kept = []
    for rule in RULES.split("[[rule]]")[1:]:
        if "FILE [--absent]" in rule:
            form = markdown.strip()
            rule = f'\ncommand = "{form}"\nsynopsis = true\n' if "[--absent]" in form else ""
        elif not any(part in markdown for part in ("while :", "cluster down") if part in rule):
            rule = ""
        if rule:
            kept.append("[[rule]]" + rule)
    return "".join(kept)


def main():
    program, work = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    planting = Planting(program, work)

    right = planting.check(RIGHT, "")
    expect("a right document", not right.wrong, right.wrong)
    expect("its counts", (right.found, right.run, right.compared, len(right.left_out)) == (5, 4, 2, 1), right)

    for what, (markdown, said) in PLANTED.items():
        outcome = planting.check("\n" + markdown + "\n", rules_without_others(markdown))
        expect(f"{what} was not found", any(said in wrong for wrong in outcome.wrong), outcome)

    stale = planting.check(RIGHT, '[[rule]]\ncommand = "troupe gone"\nleft_out = "x"\n')
    expect("a rule for no command was not found", any("troupe gone" in one for one in stale.wrong), stale)
    vain = planting.check("\n    troupe version\n",
                          '[[rule]]\ncommand = "troupe version"\nreplace = [["a b", "c"]]\n')
    expect("a replacement of nothing was not found", any("'a b'" in one for one in vain.wrong), vain)
    expect("an unknown key", "unknown key" in raises(BadRule, planting.check, RIGHT,
                                                     '[[rule]]\ncommand = "x"\nskip = true\n'), "")
    expect("an unclear block", raises(Unclear, commands_of_markdown, "p.md", "\n    Text\n    troupe run\n"), "")
    found = commands_of_help("troupe --help", "Examples:\n  troupe a \\\n      --b\n  troupe c\n\nText")
    expect("examples", [one.text for one in found] == ["troupe a --b", "troupe c"], found)
    print(f"{len(PLANTED) + 5} planted mistakes were found")


if __name__ == "__main__":
    main()
