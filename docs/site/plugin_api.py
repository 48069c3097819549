"""Makes the page of the plugins' interface from the headers that a plugin includes."""
import os
import re

# The headers, by what they are for. A plugin may include others; these are what its author needs.
PARTS = {
    "Placement policies": [
        "policies/policy.hpp", "policies/scoring_policy.hpp", "policies/setting.hpp", "policies/plugin.hpp"],
    "What a policy sees": [
        "model/view/view.hpp", "model/jobs/task_request.hpp", "model/view/machine_filter.hpp",
        "model/base/resources.hpp", "model/cluster/catalog.hpp", "model/base/random.hpp", "model/base/time.hpp",
        "model/base/ids.hpp"],
    "Scheduler actors": [
        "actors/plugin/scheduler_plugin.hpp", "actors/protocol/handles.hpp", "actors/common/handlers.hpp",
        "actors/common/run_clock.hpp", "model/protocol/protocol.hpp", "model/protocol/sparrow_protocol.hpp",
        "model/metrics/group_counters.hpp"],
    "Tests": [
        "policies/policy_trial.hpp", "policies/conformance.hpp", "policies/plugin_library.hpp",
        "runtime/cluster/cluster_trial.hpp"],
}

TOP = "<!-- made when the site is built -->\n\n# Plugin interface\n\nWhat plugins include, from the headers of " \
    "this version: each declaration with its comment, without private members and bodies of functions. " \
    "[Plugins](plugins.md) explains how to use them. All names are in the namespace `troupe`.\n"
BODY = re.compile(r"\)(\s|const|noexcept|override|final|->\s*[\w:<>&]+)*$|\)\s*:\s")


def entities(text):
    """Returns pairs of the comment and the text of what is declared in a header with a `///` comment."""
    found, comment, lines, i = [], [], text.split("\n"), 0
    while i < len(lines):
        line = lines[i]
        i += 1
        if line.startswith("///"):
            comment.append(line[4:])
            continue
        if line.startswith("namespace"):  # the comment is the header's
            if comment:
                found.append((comment, ""))
        elif line.strip() and not line.startswith(("#include", "#pragma", "//", "}")):
            entity, depth = [line], balance(line)
            macro = line.startswith("#define")
            while i < len(lines) and (entity[-1].endswith("\\") if macro else
                                      depth > 0 or not entity[-1].rstrip().endswith((";", "}"))):
                entity.append(lines[i])
                depth += balance(lines[i])
                i += 1
            if comment:
                found.append((comment, entity[0].split("(")[0] + "(...)" if macro else "\n".join(entity)))
        comment = []
    return found


def balance(line):
    code = re.sub(r'//.*|"[^"]*"', "", line)
    return sum(code.count(c) for c in "({") - sum(code.count(c) for c in ")}")


def without_private(text):
    """Leaves out what is private in the class."""
    return re.sub(r"^(private|protected):\n.*?(?=^(public:|\}))", "", text, flags=re.MULTILINE | re.DOTALL)


def matching(text, at):
    """Returns the place behind the brace that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    raise SystemExit(f"plugin_api.py: a brace is not closed in:\n{text}")


def without_bodies(text):
    made, at = "", 0
    for brace in re.finditer(r"\{", text):
        if brace.start() < at:
            continue
        before = text[at:brace.start()]
        statement = re.sub(r"//[^\n]*", "", re.split(r"[;}]|(?<=\{)", made + before)[-1]).rstrip()
        if BODY.search(statement) and not statement.lstrip().startswith(("struct", "class", "enum", "for")):
            made += re.sub(r"\)\s*:\s.*", ")", before.rstrip(), flags=re.DOTALL) + ";"
            at = matching(text, brace.start())
        else:
            made += before + "{"
            at = brace.end()
    return made + text[at:]


def name_of(entity):
    code = re.sub(r"^template <.*?>\n", "", entity, flags=re.DOTALL)
    macro = re.match(r"#define (\w+)", code)
    kind = re.match(r"(?:struct|class|enum class|enum|using) (\w+)", code)
    function = re.search(r"([\w~]+|operator\S+)\(", code)
    value = re.search(r"(\w+)(?: =|;|\{)", code)
    return next((found[1] for found in (macro, kind, function, value) if found), code.split("\n")[0])


def section(root, header):
    with open(os.path.join(root, "src", header), encoding="utf-8") as file:
        found = entities(file.read())
    text = f"\n### {header}\n\n`#include <{header}>`\n"
    for comment, entity in found:
        said = prose(comment)
        if not entity:
            text += f"\n{said}\n"
            continue
        code = re.sub(r"\n{3,}", "\n\n", without_bodies(without_private(entity))).rstrip()
        code = code.replace("\n\n};", "\n};")
        text += f"\n#### {name_of(entity)}\n\n{said}\n\n```cpp\n{code}\n```\n"
    return text


def prose(comment):
    """Markdown of a comment: its examples are indented by four more."""
    lines = []
    for line in comment:
        if line.startswith("- ") and lines and not lines[-1].startswith("- "):
            lines.append("")
        lines.append(line)
    return re.sub(r"<(?=\w)", "&lt;", "\n".join(lines))


def plugin_api_page(root):
    text = TOP
    for part, headers in PARTS.items():
        text += f"\n## {part}\n" + "".join(section(root, header) for header in headers)
    return text
