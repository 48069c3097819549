"""Copies the documents of the project as the sources of the site, with pages for the files that they name."""
import glob
import os
import re
import shutil

LINK = re.compile(r"(\]\()([^()\s]+)(\))")
LIST = re.compile(r"^(?:[-*]|\d+\.) ")
LANGUAGES = {".toml": "toml", ".py": "python", ".json": "json", ".sh": "bash", ".hpp": "cpp", ".cpp": "cpp",
             ".txt": "cmake", ".csv": "text"}
EXTERNAL = re.compile(r"[a-z]+:|#")


def copied(root):
    """The documents that are pages."""
    return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", *sorted(glob.glob("docs/*.md", root_dir=root))]


def page_of_file(path):
    return f"files/{path.replace('/', '-').replace('.', '-').lower()}.md"


def with_blank_lines(text):
    """Python's Markdown wants an empty line before a list."""
    lines, made, fenced = text.split("\n"), [], False
    for line in lines:
        if line.startswith("```"):
            fenced = not fenced
        before = made[-1] if made else ""
        if not fenced and LIST.match(line) and before.strip() and not LIST.match(before) and before[0] != " ":
            made.append("")
        made.append(line)
    return "\n".join(made)


class Site:
    def __init__(self, root, out):
        self.root, self.out = root, out
        self.pages = set(copied(root))
        self.files = {}  # the pages of files, by path

    def write(self, path, text):
        place = os.path.join(self.out, path)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)

    def target(self, page, link):
        """Returns the link from a page of the site to what a document links to."""
        if EXTERNAL.match(link):
            return link
        name, hash_sign, anchor = link.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), name))
        if path in self.pages:
            to = path
        elif path.endswith((".svg", "openapi.json", "grafana.json")):
            place = os.path.join(self.out, path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            shutil.copy(os.path.join(self.root, path), place)
            to = path
        else:
            to = self.add_file(path)
        return os.path.relpath(to, os.path.dirname(page) or ".") + hash_sign + anchor

    def add_file(self, path):
        page = page_of_file(path)
        if path not in self.files:
            self.files[path] = page
            place = os.path.join(self.root, path)
            self.write(page, self.listing(path, page) if os.path.isdir(place) else self.content(path))
        return page

    def listing(self, path, page):
        text = f"# {path}\n\n"
        for name in sorted(os.listdir(os.path.join(self.root, path))):
            below = self.add_file(os.path.join(path, name))
            text += f"- [{name}]({os.path.relpath(below, os.path.dirname(page))})\n"
        return text

    def content(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8", errors="replace") as file:
            text = file.read()
        language = LANGUAGES.get(os.path.splitext(path)[1], "text")
        return f"---\nsearch:\n  exclude: true\n---\n# {path}\n\n````{language}\n{text.rstrip()}\n````\n"

    def copy(self, page):
        with open(os.path.join(self.root, page), encoding="utf-8") as file:
            text = file.read()
        for picture in re.findall(r'(?:src|srcset)="([^"]*)"', text):
            self.target(page, picture)
        parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
        parts[::2] = [LINK.sub(lambda link: link[1] + self.target(page, link[2]) + link[3], part)
                      for part in parts[::2]]
        self.write(page, with_blank_lines("".join(parts)))
