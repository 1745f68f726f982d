"""What docs/site writes: docstrings as Markdown, a place for each public name."""

import re
import sys
from xml.etree import ElementTree

import pytest

from tests.source_tree import ROOT, read_layout
from tests.support.stubs import indexes

SITE = ROOT / "docs" / "site"
MODULES = "docstrings", "layers", "reference", "counts"


@pytest.fixture(scope="module")
def site():
    """The modules of the site that need no Sphinx, by name."""
    sys.path.insert(0, str(SITE))
    made = {name: __import__(name) for name in MODULES}
    sys.path.remove(str(SITE))
    yield made
    for name in (*made, "pages"):
        del sys.modules[name]


DOCSTRING = """The product of `a` and <b>, *exactly*.

    y <- a * b

    Args:
        a: float[n]. b, c: the others,
            in two lines; `a: b` is code.
        **rest: ignored.
    Returns:
        float[n]
    Raises:
        ValueError: shapes differ. tf.errors.OpError: anything else.
    Example:
        tf.multiply(
            1, 2)  # 2
    Reference: A. Author, A book: of things (2015),
    page 3.
    """
MARKDOWN = r"""The product of `a` and \<b>, \*exactly\*.

```text
y <- a * b
```

**Arguments**

`a`
: float\[n\].

`b`, `c`
: the others, in two lines; `a: b` is code.

`**rest`
: ignored.


**Returns:** float\[n\]

**Errors**

`ValueError`
: shapes differ.

`tf.errors.OpError`
: anything else.


**Example**

```python
tf.multiply(
    1, 2)  # 2
```

**Reference:** A. Author, A book: of things (2015), page 3."""


def test_docstrings_become_markdown(site):
    assert site["docstrings"].markdown(DOCSTRING) == MARKDOWN


def test_no_docstring(site):
    assert site["docstrings"].markdown(None) == ""
    assert site["docstrings"].summary("One\nsentence.\n\nMore.") == "One sentence."


def test_every_public_name_has_its_place(site, tmp_path):
    pages = site["reference"].write(tmp_path)
    text = "\n".join(page.read_text() for page in pages)
    shown = set(re.findall(r"[\w.]+", text))
    wanted = {
        f"{index}.{name}".replace("twinflow", "tf", 1)
        for index, module in indexes().items()
        for name in module.__getattr__.table
    }
    assert len(wanted) > 3500 and wanted <= shown


def test_the_picture_has_every_package(site):
    layout = (ROOT / "docs" / "layout.md").read_text()
    picture = site["layers"].picture(layout)
    ElementTree.fromstring(picture)
    for package in read_layout().numbers:
        assert f">{package}</text>" in picture


def test_lines_are_counted_where_something_stands_in_them(site):
    found = site["counts"].counts()
    for what, files in (("lines of the package", "twinflow/**/*.py"),
                        ("lines of C", "native/*.[ch]")):  # fmt: skip
        lines = [line for p in ROOT.glob(files) for line in p.read_text().splitlines()]
        assert found[what] == sum(bool(line.strip()) for line in lines)
    assert min(found.values()) > 100
