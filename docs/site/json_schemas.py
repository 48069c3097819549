"""Makes JSON Schemas from the tables of docs/json.md, which a test compares with the output of every command."""
import json
import re

SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
ROW = re.compile(r"^\| `([^`]+)` \| ([^|]+) \|(.*)\|$", re.MULTILINE)
LINK = re.compile(r"\[([^]]+)\]\(#[^)]*\)")
TYPES = {"text": "string", "whole": "integer", "number": "number", "truth": "boolean", "null": "null",
         "object": "object"}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def key_of(section):
    return re.sub("[ ,]+", "-", section)


def reference(section):
    return {"$ref": "#/$defs/" + key_of(section)}


def schema_of_type(text):
    """Returns the schema of a cell such as "number or null"."""
    link = LINK.match(text)
    if link:
        return {"anyOf": [reference(link[1]), {"type": "null"}]} if " or null" in text else reference(link[1])
    names = [TYPES[name] for name in text.split(" or ")]
    return {"type": names[0] if len(names) == 1 else names}


def parts_of(path):
    """`a[].*` has the parts a, [] and *."""
    return [] if path == "." else re.findall(r"[^.\[\]]+|\[\]", path)


class Node:
    """What is known of a value: its own schemas, and what is below it."""

    def __init__(self):
        self.own, self.below, self.required = [], {}, False

    def add(self, parts, schema, needed):
        self.required = self.required or needed
        if not parts:
            self.own.append(schema)
        else:
            self.below.setdefault(parts[0], Node()).add(parts[1:], schema, needed)

    def schema(self):
        made = {}
        if "[]" in self.below:
            made = {"type": "array", "items": self.below["[]"].schema()}
        elif self.below:
            named = {name: node for name, node in self.below.items() if name != "*"}
            made = {"type": "object"}
            if named:
                made["properties"] = {name: node.schema() for name, node in named.items()}
            needed = [name for name, node in named.items() if node.required]
            if needed:
                made["required"] = needed
            if "*" in self.below:
                made["additionalProperties"] = self.below["*"].schema()
        included = [one for one in self.own if "$ref" in one]
        if included and (made or len(included) > 1):  # the members of a table, and further ones
            made = {**made, "allOf": included}
        else:
            made = included[0] if included else made
        others = [one for one in self.own if "$ref" not in one] + ([made] if made else [])
        return others[0] if len(others) == 1 else {"anyOf": others}


def schemas(markdown):
    """Returns one document with a definition for each section, and the names of those that commands print."""
    parts = SECTION.split(markdown)
    found = {name: text for name, text in zip(parts[1::2], parts[2::2]) if ROW.search(text)}
    used = {link for text in found.values() for _, kind, _ in ROW.findall(text) for link in LINK.findall(kind)}
    defs = {}
    for name, text in found.items():
        root = Node()
        for path, kind, meaning in ROW.findall(text):
            optional = kind.endswith(", optional")
            schema = schema_of_type(kind.removesuffix(", optional").strip())
            if meaning.strip() and "$ref" not in schema:
                schema["description"] = re.sub(r"\[([^]]*)\]\([^)]*\)|`", r"\1", meaning.strip())
            root.add(parts_of(path), schema, not optional)
        if name not in used and name != "error":
            root.add(["format"], {"const": 1}, True)
        defs[key_of(name)] = root.schema()
    printed = [name for name in found if name not in used]
    return {"$schema": DIALECT, "title": "Output of troupe with --json", "$defs": defs}, printed


def schemas_page(markdown):
    """Returns the page, and the schemas that it links to."""
    document, printed = schemas(markdown)
    page = "<!-- made when the site is built -->\n\n# JSON schemas\n\n[schemas.json](schemas.json) has a schema " \
        "(JSON Schema 2020-12) for all that commands print with `--json`; [json.md](json.md) says what the members " \
        "mean. New members may come at any time, so no schema forbids any. This checks a result:\n\n" \
        "```python\nimport json, jsonschema\n\nschemas = json.load(open(\"schemas.json\"))\n" \
        "schemas[\"$ref\"] = \"#/$defs/run\"\n" \
        "jsonschema.validate(json.load(open(\"output.json\")), schemas)\n```\n\n| output of | schema |\n|---|---|\n"
    for name in printed:
        page += f"| {name} | `#/$defs/{key_of(name)}` |\n"
    page += "\n## All schemas\n"
    for name, schema in document["$defs"].items():
        page += f"\n### {name.replace('-', ' ')}\n\n```json\n{json.dumps(schema, indent=1)}\n```\n"
    return page, json.dumps(document, indent=1) + "\n"
