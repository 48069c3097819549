"""Builds the site of the documents, and sees that its check finds what is planted in it.

Usage: site_test.py SOURCE_DIR PROGRAM WORK_DIR
"""
import json
import os
import subprocess
import sys

# What is planted in a page, and a part of what the check says.
PLANTED = [
    ('<a href="docs/gone.html">x</a>', "docs/gone.html leads to no file"),
    ('<a href="docs/settings.html#gone">x</a>', "docs/settings.html#gone leads to no heading"),
    ('<script src="https://example.org/x.js"></script>', "it loads https://example.org/x.js"),
]


def expect(what, holds, seen):
    if not holds:
        sys.exit(f"{what}: {seen}")


def check_schemas(site, program):
    """Sees that the schemas take what the program prints, and nothing of another type."""
    try:
        import jsonschema  # pylint: disable=import-outside-toplevel
    except ImportError:
        print("jsonschema is not installed: the schemas were not used")
        return
    with open(os.path.join(site, "docs/schemas.json"), encoding="utf-8") as file:
        schemas = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schemas)
    for command in (["policies"], ["version"], ["run", "missing.toml"]):
        said = subprocess.run([program, *command, "--json"], check=False, text=True, capture_output=True).stdout
        printed = json.loads(said)
        schemas["$ref"] = "#/$defs/" + ("error" if "error" in printed else command[0])
        checker = jsonschema.Draft202012Validator(schemas)
        expect(f"the schema of {command[0]}", checker.is_valid(printed), list(checker.iter_errors(printed)))
        member = next(name for name in printed if name != "format")
        expect(f"a wrong {member} was not found", not checker.is_valid({**printed, member: 1.5}), "")


def check_search(site):
    with open(os.path.join(site, "search/search_index.json"), encoding="utf-8") as file:
        entries = json.load(file)["docs"]
    for word, place in (("wait_for_refresh", "docs/settings.html#schedulerretry"),
                        ("is_exhaustive", "docs/plugin-api.html#placement_policy"),
                        ("backed_off_s", "docs/columns.html#taskscsvgz"),
                        ("troupe_queue_tasks", "docs/metrics.html"),
                        ("bounded_slowdown", "docs/schemas.html#job-figures")):
        found = {entry["location"] for entry in entries if word in entry["text"]}
        expect(f"the search does not find {word}", place in found, found)


def main():
    source, program, work = (os.path.abspath(each) for each in sys.argv[1:4])
    builder = os.path.join(source, "docs/site")
    subprocess.run([sys.executable, os.path.join(builder, "build.py"), source, program, work], check=True)
    sys.path.insert(0, builder)
    from check_html import wrong_in  # pylint: disable=import-outside-toplevel
    site = os.path.join(work, "site")
    index = os.path.join(site, "index.html")
    with open(index, encoding="utf-8") as file:
        right = file.read()
    for element, said in PLANTED:
        with open(index, "w", encoding="utf-8") as file:
            file.write(right.replace("</article>", element + "</article>"))
        wrong = wrong_in(site)[0]
        expect(f"{element} was not found", len(wrong) == 1 and said in wrong[0], wrong)
    with open(index, "w", encoding="utf-8") as file:
        file.write(right)
    check_search(site)
    check_schemas(site, program)
    for name in ("parsync", "statesync", "two-level", "static", "monolithic", "sparrow", "hybrid"):
        with open(os.path.join(site, "docs/diagrams.html"), encoding="utf-8") as file:
            expect(f"there is no diagram of {name}", f'"{name}"' in file.read().replace("&quot;", '"'), "")
    print(f"{len(PLANTED)} planted mistakes were found")


if __name__ == "__main__":
    main()
