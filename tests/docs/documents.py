"""Finds the commands in the documents: in blocks of Markdown, and under "Examples:" in help texts.

`<!-- file: NAME -->` before a block with fences makes a file of it, which later commands find.
"""
import dataclasses
import re

PROMPT = re.compile(r"(host[A-Z])?\$ ")
NOT_RUN = re.compile(r"<!-- not run: (.+) -->")
FILE = re.compile(r"<!-- file: (\S+) -->")
# What a block of commands may begin with, besides paths such as ./dev.
PROGRAMS = set("""apt apt-get awk cat cd cmake cp ctest curl docker export git gunzip gzip head journalctl kill
    less ls make man mkdir mv ninja openssl psql python3 rm scp sed sh source ssh sudo systemctl tail tar
    troupe wget zcat""".split())


class Unclear(Exception):
    """A block of which it is unclear what in it is a command."""


@dataclasses.dataclass
class Command:
    document: str
    line: int                # of its first line in the document; 0 in a help text
    text: str                # on one line, without a comment
    left_out: str = ""       # the reason that the document gives
    output: list = dataclasses.field(default_factory=list)  # the lines that the document shows
    file: str = ""           # no command: a file of that name is written, with the text as it is

    def place(self):
        return f"{self.document}:{self.line}" if self.line else self.document


@dataclasses.dataclass
class Block:
    line: int    # of the first one
    lines: list
    left_out: str = ""
    file: str = ""


def one_line(text):
    """Returns a command without its comment, its lines joined, each space once."""
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"(^|\s)#( .*)?$", "", text, flags=re.MULTILINE)
    return re.sub(r"\s+", " ", text).strip()


def blocks_of(markdown):
    """Returns the blocks that are fenced, without a language or with that of a shell, or indented; and files."""
    found, lines, i, reason, name = [], markdown.split("\n"), 0, "", ""
    while i < len(lines):
        fence = re.match(r"```(\w*)$", lines[i])
        if fence:
            end = i + 1
            while end < len(lines) and lines[end] != "```":
                end += 1
            if name or fence[1] in ("", "sh", "bash", "console"):
                found.append(Block(i + 2, lines[i + 1:end], reason, name))
            i, reason, name = end + 1, "", ""
        elif lines[i].startswith("    ") and (i == 0 or not lines[i - 1].strip()):
            end = i
            while end < len(lines) and lines[end].startswith("    "):
                end += 1
            found.append(Block(i + 1, [line[4:] for line in lines[i:end]], reason))
            i, reason, name = end, "", ""
        else:
            told, named = NOT_RUN.fullmatch(lines[i]), FILE.fullmatch(lines[i])
            if lines[i].strip():
                reason, name = told[1] if told else "", named[1] if named else ""
            i += 1
    return found


def begins_command(line):
    """Whether a line begins with a program."""
    word = line.split(" ")[0]
    return word in PROGRAMS or re.match(r"\.?/\w", word) is not None


def is_commands(block):
    return bool(block.lines) and bool(PROMPT.match(block.lines[0]) or begins_command(block.lines[0]))


def commands_of_block(document, block):
    """Returns the commands of a block; what follows one with a prompt, up to the next, is its output."""
    prompted = bool(PROMPT.match(block.lines[0]))
    found, i = [], 0
    while i < len(block.lines):
        line, begin = block.lines[i], i
        i += 1
        prompt = PROMPT.match(line)
        if prompted and not prompt:
            found[-1].output.append(line)
            continue
        if not line.strip():
            continue
        text = line[prompt.end():] if prompt else line
        # Forms of commands have further lines that are only indented.
        while i < len(block.lines) and (text.endswith("\\") or
                                        (not prompted and block.lines[i].startswith("  "))):
            text += "\n" + block.lines[i].strip()
            i += 1
        found.append(Command(document, block.line + begin, one_line(text), block.left_out))
    for command in found:
        while command.output and not command.output[-1].strip():
            command.output.pop()
    return found


def commands_of_markdown(document, markdown):
    """Returns the commands of a document, and the blocks of it that are none."""
    commands, others = [], []
    for block in blocks_of(markdown):
        if block.file:
            commands.append(Command(document, block.line, "\n".join(block.lines) + "\n", file=block.file))
        elif is_commands(block):
            commands += commands_of_block(document, block)
        elif any(PROMPT.match(line) or re.match(r"(troupe|\./dev) ", line) for line in block.lines):
            raise Unclear(f"{document}:{block.line}: a block with a command begins with none")
        else:
            others.append(block)
    return commands, others


def commands_of_help(document, text):
    """Returns the commands under "Examples:"."""
    found = re.search(r"^Examples:\n((?:  .*\n?)+)", text, flags=re.MULTILINE)
    if not found:
        return []
    lines = re.sub(r"\\\n\s*", " ", re.sub(r"^  ", "", found[1], flags=re.MULTILINE))
    # A terminal of 80 columns has longer examples on two lines, indented by four more.
    return [Command(document, 0, one_line(line)) for line in lines.strip().split("\n")]


def subcommands_of_help(text):
    found = re.search(r"^Subcommands:\n((?:  .*\n)+)", text, flags=re.MULTILINE)
    return re.findall(r"^  (\S+)  ", found[1], flags=re.MULTILINE) if found else []
