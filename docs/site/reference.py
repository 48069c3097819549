"""Makes pages of reference from what the program prints: its settings, its commands, its HTTP API."""
import html
import json
import re
import subprocess

TABLE = re.compile(r"^(?:# )?(\[\[?[a-z_.]+\]?\])\s*$")
KEY = re.compile(r"^(# )?([a-z_]+) = (.*?)\s*(?:  # |(?<=\}) # |# )(.*)$")
KEY_ALONE = re.compile(r"^(# )?([a-z_]+) = (.*)$")
MORE = re.compile(r"^(?:# )? {2,}# ?(.*)$|^ +# (.*)$|^# {3,}# (.*)$")
MADE = "<!-- made when the site is built -->\n\n"


def cell(text):
    return text.replace("|", "\\|")


def split_meaning(text):
    """Returns the meaning and what is allowed, which is in brackets at its end."""
    found = re.search(r"^(.*?)\s*\[([^\[\]]*)\]$", text)
    return (found[1], found[2]) if found else (text, "")


def tables_of(printed):
    """Returns triples of the header of a table, its meaning and its rows: key, default, meaning."""
    tables = [["", "", []]]
    comment, row = [], None
    for line in printed[printed.index("\n\n"):].split("\n"):  # behind the comment at the top
        header, key, more = TABLE.match(line), KEY.match(line) or KEY_ALONE.match(line), MORE.match(line)
        if header:
            tables.append([header[1], " ".join(comment), []])
            comment, row = [], None
        elif key and not line.startswith("# ["):
            row = [key[2], key[3].strip(), key[4] if key.re is KEY else ""]
            tables[-1][2].append(row)
        elif more and row:
            row[2] += " " + next(part for part in more.groups() if part is not None)
        elif line.startswith("# "):
            comment.append(line[2:])
            row = None
        else:
            comment, row = [], None
    found = sum(len(rows) for _, _, rows in tables)
    expected = len(re.findall(r"^(?:# )?[a-z_]+ = ", printed, flags=re.MULTILINE))
    if found != expected:
        raise SystemExit(f"{found} settings were found in what 'troupe config' prints; expected {expected}")
    return tables


def settings_page(printed):
    text = MADE + "# Settings\n\nEvery setting, with its default, as `troupe config` prints them. A file has " \
        "only those that differ.\n`--set sync.gap=2s` sets one on the command line; durations are texts with a " \
        "unit (ns, us, ms, s, m, h).\n"
    for name, meaning, rows in tables_of(printed):
        if name:
            text += f"\n## {name.strip('[]')}\n\n`{name}`"
            text += f": {meaning}\n" if meaning else "\n"
        if rows:
            text += "\n| setting | default | meaning | allowed |\n|---|---|---|---|\n"
            for key, value, meaning in rows:
                what, allowed = split_meaning(meaning)
                text += f"| `{key}` | `{cell(value)}` | {cell(what)} | {cell(allowed)} |\n"
    return text


def commands_page(program):
    """All help texts, the subcommands behind their command."""
    text, todo = MADE + "# Commands\n\nThe help of every command; `troupe man COMMAND` shows the same.\n", [[]]
    while todo:
        names = todo.pop(0)
        said = subprocess.run([program, *names, "--help"], check=True, text=True, capture_output=True).stdout
        first, _, rest = said.partition("\n")
        text += f"\n## {' '.join(['troupe', *names])}\n\n{first}\n\n```text\n{rest.strip()}\n```\n"
        found = re.search(r"^Subcommands:\n((?:  .*\n?)+)", said, flags=re.MULTILINE)
        names_below = re.findall(r"^  ([a-z]\S*)  ", found[1], flags=re.MULTILINE) if found else []
        todo = [names + [name] for name in names_below if name != "help"] + todo
    return text


def api_page(file):
    with open(file, encoding="utf-8") as stream:
        api = json.load(stream)
    text = MADE + f"# HTTP API\n\n{api['info']['description']}\n\n" \
        "| path | method | what it does |\n|---|---|---|\n"
    for path, methods in api["paths"].items():
        for method, what in methods.items():
            if isinstance(what, dict) and ("summary" in what or "description" in what):
                said = what.get("summary") or what.get("description")
                text += f"| `{path}` | {method.upper()} | {cell(html.escape(said, quote=False))} |\n"
    return text
