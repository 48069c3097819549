"""Builds the site of the documents, without network.

Usage: build.py SOURCE_DIR PROGRAM OUT_DIR

OUT_DIR/source receives the pages as Markdown, OUT_DIR/site the site. Fails if a document is in no part of the
site, if mkdocs warns of something, or if a link leads nowhere.
"""
import os
import re
import shutil
import subprocess
import sys

from check_html import wrong_in
from diagrams import diagrams_page
from json_schemas import schemas_page
from pages import Site, copied
from plugin_api import plugin_api_page
from reference import api_page, commands_page, settings_page

HERE = os.path.dirname(os.path.abspath(__file__))
CONFIG = os.path.join(HERE, "mkdocs.yml")


def write_pages(root, program, out):
    site = Site(root, out)
    for page in copied(root):
        site.copy(page)
    printed = subprocess.run([program, "config"], check=True, text=True, capture_output=True).stdout
    site.write("docs/settings.md", settings_page(printed))
    site.write("docs/commands.md", commands_page(program))
    site.write("docs/api.md", api_page(os.path.join(root, "docs/openapi.json")))
    with open(os.path.join(root, "docs/json.md"), encoding="utf-8") as file:
        page, schemas = schemas_page(file.read())
    site.write("docs/schemas.md", page)
    site.write("docs/schemas.json", schemas)
    site.write("docs/plugin-api.md", plugin_api_page(root))
    site.write("docs/diagrams.md", diagrams_page(os.path.join(HERE, "diagrams")))
    shutil.copy(os.path.join(HERE, "extra.css"), out)


def left_out(root):
    """The documents that mkdocs.yml has in no part of the site."""
    with open(CONFIG, encoding="utf-8") as file:
        named = set(re.findall(r": (\S+\.md)$", file.read(), flags=re.MULTILINE))
    return [page for page in copied(root) if page not in named]


def main():
    root, program, out = (os.path.abspath(each) for each in sys.argv[1:4])
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    missing = left_out(root)
    if missing:
        sys.exit(f"{CONFIG}: it has no {', '.join(missing)}; expected each document in one part of the site")
    write_pages(root, program, os.path.join(out, "source"))
    shutil.copy(CONFIG, out)
    built = subprocess.run(["mkdocs", "build", "--strict", "--quiet", "--config-file",
                            os.path.join(out, "mkdocs.yml")], check=False, text=True, capture_output=True)
    if built.returncode != 0 or built.stderr.strip():
        sys.exit(f"mkdocs ended with {built.returncode}:\n{built.stdout}{built.stderr}")
    wrong, pages, links = wrong_in(os.path.join(out, "site"))
    for sentence in wrong:
        print("WRONG " + sentence)
    print(f"{pages} pages with {links} links in {os.path.join(out, 'site')}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
