"""Compares what names the version of Troupe with the one place that sets it: project() in CMakeLists.txt."""
import os
import re

from links import read

# Files, with the pattern of their first version.
PLACES = {
    "debian/changelog": r"^troupe \(([^)]*)\)",
    "CHANGELOG.md": r"(?m)^## (\S+)",
}
# Versions of formats that CHANGELOG.md has in its first list of them, with the place that sets each.
FORMATS = [
    (r"results (\d+)", "src/report/results/results_format.hpp", r"results_format = (\d+)"),
    (r"`--json` (\d+)", "apps/troupe/support/json_output.hpp", r"json_format = (\d+)"),
    (r"protocol between nodes (\d+)", "src/nodes/routing/node_messages.hpp", r"protocol_version = (\d+)"),
]
# Files that ask CMake for the package of a version; a package is for those of its minor version.
CONSUMERS = [
    "apps/troupe/templates/project_template.cpp",
    "examples/policies/power-of-k/CMakeLists.txt",
    "examples/policies/round-robin/CMakeLists.txt",
    "tests/cli/consumer/CMakeLists.txt",
]


def project_version(root):
    return re.search(r"project\(troupe VERSION (\S+)", read(os.path.join(root, "CMakeLists.txt")))[1]


def wrong_versions(root, printed):
    """Returns sentences; `printed` is what `troupe --version` prints."""
    version = project_version(root)
    wrong = []
    for path, pattern in PLACES.items():
        found = re.search(pattern, read(os.path.join(root, path)))
        if not found or found[1] != version:
            wrong.append(f"{path}: its latest version is {found[1] if found else 'not there'}; "
                         f"expected {version}, as in CMakeLists.txt")
    listed = re.search(r"(?m)^Formats: .*", read(os.path.join(root, "CHANGELOG.md")))
    for pattern, path, place in FORMATS:
        found = listed and re.search(pattern, listed[0])
        now = re.search(place, read(os.path.join(root, path)))[1]
        if not found or found[1] != now:
            wrong.append(f"CHANGELOG.md: its formats have {found[0] if found else 'none of ' + path}; "
                         f"expected {now}, as in {path}")
    minor = ".".join(version.split(".")[:2])
    for path in CONSUMERS:
        for found in re.findall(r"find_package\(Troupe (\S+) ", read(os.path.join(root, path))):
            if found not in (minor, "@VERSION@"):
                wrong.append(f"{path}: it asks for Troupe {found}; expected {minor}")
    if printed.strip() != f"troupe {version}":
        wrong.append(f"'troupe --version' prints '{printed.strip()}'; expected 'troupe {version}'")
    return wrong
