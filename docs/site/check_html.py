"""Finds what is wrong with a site: links to what is not there, and what a reader's browser would load from
elsewhere."""
import glob
import html.parser
import os
import urllib.parse

LOADED = {"script": "src", "img": "src", "source": "srcset", "link": "href"}
OUTSIDE = ("http:", "https:", "mailto:", "data:", "javascript:")


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loaded = {""}, [], []
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        for name in ("id", "name"):
            if values.get(name):
                self.anchors.add(values[name])
        if tag in LOADED and values.get(LOADED[tag]) and values.get("rel") != "canonical":
            self.loaded.append(values[LOADED[tag]])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])


def wrong_in(site):
    """Returns sentences, and the numbers of pages and of links."""
    wrong, count = [], 0
    pages = {path: Page(path) for path in glob.glob(site + "/**/*.html", recursive=True)}
    for path, page in sorted(pages.items()):
        name = os.path.relpath(path, site)
        if name == "404.html":
            continue  # its links begin at the root of a server
        wrong += [f"{name}: it loads {link}" for link in page.loaded if link.startswith(OUTSIDE[:2])]
        for link in page.links + page.loaded:
            if link.startswith(OUTSIDE):
                continue
            count += 1
            target, _, anchor = urllib.parse.unquote(link).partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
            if os.path.isdir(file):
                file = os.path.join(file, "index.html")
            if not os.path.exists(file):
                wrong.append(f"{name}: the link to {link} leads to no file")
            elif file in pages and anchor not in pages[file].anchors:
                wrong.append(f"{name}: the link to {link} leads to no heading")
    return wrong, len(pages), count
