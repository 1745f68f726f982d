"""Docstrings of the house as Markdown for the site.

A docstring is a sentence, paragraphs, and sections: `Args:`, `Returns:`, `Raises:`,
`Attributes:`, `Example:` and others in one word. An entry of a section is
`name, name: what they are`; several short ones may share a line.
"""

import inspect
import re

_SECTION = re.compile(r"^([A-Z][a-z]+(?: [a-z]+)?):(?:[ ](.*))?$")
_ENTRY = re.compile(r"(?:(?<=^)|(?<=\. ))(\*{0,2}[\w.`]+(?:, \*{0,2}[\w.`]+)*): ")
_FORMULA = re.compile(r"[\w\[\], ()*./|-]+ (<-|=) ")
_LISTED = {"Args", "Attributes", "Raises", "Returns", "Yields"}
_BESIDE = _LISTED | {"Example", "Reference"}  # may begin on the line of the title
_NAMED = {"Args": "Arguments", "Attributes": "Attributes", "Raises": "Errors"}
_SPECIAL = re.compile(r"([\\*_<{#|~\[\]])")


def markdown(docstring: str | None) -> str:
    """The Markdown of a docstring; empty if there is none."""
    parts = []
    for title, lines in _sections(inspect.cleandoc(docstring or "").splitlines()):
        text = _section(title, lines) if title else _prose(lines)
        parts += [text] if text else []
    return "\n\n".join(parts)


def summary(docstring: str | None) -> str:
    """Its first sentence, as Markdown in one line."""
    first = inspect.cleandoc(docstring or "").split("\n\n")[0]
    return escaped(" ".join(first.split()))


def _sections(lines):
    """(title, lines) of each part; the first has no title."""
    found = [("", [])]
    for line in lines:
        match = _SECTION.match(line)
        if match and (
            match[2] is None or match[1] in _LISTED | {"Example", "Reference"}
        ):
            found.append((match[1], [match[2]] if match[2] else []))
        elif found[-1][0] not in ("", "Reference") and line[:1].strip():
            found.append(("", [line]))  # the section is over
        else:
            found[-1][1].append(line)
    return found


def _section(title, lines):
    lines = inspect.cleandoc("\n".join(["", *lines])).splitlines()
    if title.startswith("Example"):
        return f"**{title}**\n\n{_code(_example(lines))}"
    if title in _NAMED:
        return f"**{_NAMED[title]}**\n\n{_entries(lines)}"
    return f"**{title}:** {_prose(lines)}"


def _example(lines):
    text = "\n".join(lines)
    return "\n".join(re.findall(r"`([^`]+)`", text)) if text[:1] == "`" else text


def _entries(lines):
    """A definition list; what comes before the first name stays a paragraph."""
    entries, before = [], []
    for line in lines:
        if line.startswith(" ") and entries:
            entries[-1][1].append(line.strip())
            continue
        pieces = _ENTRY.split(line)
        (entries[-1][1] if entries else before).append(pieces[0])
        entries += [(n, [t]) for n, t in zip(pieces[1::2], pieces[2::2])]
    found = [f"{_prose(before)}\n"] if any(before) else []
    for names, text in entries:
        shown = ", ".join(f"`{n.strip('`')}`" for n in names.split(", "))
        found.append(f"{shown}\n: {escaped(' '.join(text).strip())}\n")
    return "\n".join(found)


def _prose(lines):
    """Paragraphs; what is indented is shown as it is."""
    found = []
    for block in re.split(r"\n\s*\n", "\n".join(lines).strip("\n")):
        if block.startswith("    ") or _is_formula(block):
            found.append(_code(inspect.cleandoc("\n" + block), "text"))
        elif block.lstrip().startswith(("* ", "- ")):
            items = re.split(r"^[*-] ", block, flags=re.MULTILINE)[1:]
            found.append("\n".join(f"* {escaped(' '.join(i.split()))}" for i in items))
        elif block.strip():
            found.append(_mixed(block))
    return "\n\n".join(found)


def _is_formula(block):
    """Whether a paragraph is lines like `w <- w - rate * dw`."""
    first = block.partition("\n")[0]
    return bool(_FORMULA.match(first)) and not block.rstrip().endswith((".", ":", ","))


def _mixed(block):
    """A paragraph, from whose first indented line on it is code."""
    lines = block.splitlines()
    end = next(
        (i for i, x in enumerate(lines) if i and x.startswith("    ")), len(lines)
    )
    text = escaped(" ".join(" ".join(lines[:end]).split()))
    if end == len(lines):
        return text
    return (
        f"{text}\n\n{_code(inspect.cleandoc(chr(10).join(['', *lines[end:]])), 'text')}"
    )


def _code(text, language="python"):
    return f"```{language}\n{text}\n```"


def escaped(text: str) -> str:
    """Text in which nothing but backquotes means anything to Markdown."""
    parts = re.split(r"(``.+?``|`[^`]*`)", text)
    return "".join(
        p if i % 2 else _SPECIAL.sub(r"\\\1", p) for i, p in enumerate(parts)
    )
