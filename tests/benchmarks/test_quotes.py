"""What other documents quote of the page of benchmarks is what stands there."""

import re

import pytest

from benchmarks import quotes

PAGE = """\
|  | eager | function | graph | the fastest peer |
| --- | ---: | ---: | ---: | ---: |
| MLP, batch 1 | 4.60 | 1.20 | 1.08 | jax, 14.0 us |

- 1e6, torch: forward 0.63, gradient 0.77, both 0.69 (82 rows)
- falls short (8 rows, 6.1): none at 1e6 above 1.5 of PyTorch
"""


def test_tables_and_sentences_are_those_of_the_page():
    found = quotes.texts(PAGE)
    assert found["models"].splitlines()[2:] == ["| MLP, batch 1 | 1.20 | 1.08 |"]
    assert re.sub(r"\s+", " ", found["ops"]) == (
        "Operations by themselves, at a million numbers each: 0.69 of PyTorch's time "
        "in the geometric mean of 82; 8 of them take more than 1.5, at most 6.1."
    )


def test_none_that_is_slow_is_said_so():
    page = PAGE.replace("falls short (8 rows, 6.1)", "holds (0 rows, 1.4)")
    assert quotes.texts(page)["ops"].endswith("82; none takes more than 1.4.")


def test_parts_that_the_page_has_not_stay_as_they_are(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PAGE.partition("- 1e6")[0])
    document = tmp_path / "other.md"
    part = "<!-- measured: {} -->\nold\n<!-- measured -->\n"
    document.write_text(part.format("ops") + part.format("models"))
    quotes.write(page, {document: ["models", "ops"]})
    assert document.read_text().count("old") == 1
    assert "MLP, batch 1 | 1.20" in document.read_text()


@pytest.mark.parametrize("document", quotes.QUOTING, ids=lambda path: path.name)
def test_the_documents_quote_the_page(document):
    found = quotes.texts(quotes.PAGE.read_text())
    for name in quotes.QUOTING[document]:
        text = f"<!-- measured: {name} -->\n{found[name]}\n<!-- measured -->\n"
        assert text in document.read_text(), "python -m benchmarks.quotes writes it"
