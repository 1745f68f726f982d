"""Parts of documents that are measured: text between two marks in Markdown."""

import re


def write(document, name, text):
    """Put a text between `<!-- measured: name -->` and `<!-- measured -->`.

    Raises:
        ValueError: the document has no such marks.
    """
    start, end = f"<!-- measured: {name} -->\n", "\n<!-- measured -->"
    old = document.read_text()
    pattern = re.escape(start) + ".*?" + re.escape(end)
    new, count = re.subn(pattern, lambda _: start + text + end, old, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"{document} has {count} parts measured as {name!r}, not one.")
    document.write_text(new)
