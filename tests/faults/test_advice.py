"""Errors whose text the table of advice knows are raised with that advice."""

import ast
import re
from pathlib import Path

import twinflow
from twinflow.base.advice import advice_for, advised

PLAIN = {
    "AttributeError", "IndexError", "KeyError", "LookupError", "NotImplementedError",
    "OSError", "RuntimeError", "TypeError", "UsageError", "ValueError",
}  # fmt: skip
_RAISES = re.compile(rf"\braise ({'|'.join(sorted(PLAIN))})\(")


def _text(node):
    """The text of a literal, with a number where it has something to fill in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = (v.value if isinstance(v, ast.Constant) else "1" for v in node.values)
        return "".join(parts)
    return None


def _without_advice(tree):
    """(line, text) of the plain errors for which there is advice."""
    raised = (n.exc for n in ast.walk(tree) if isinstance(n, ast.Raise))
    for call in raised:
        if isinstance(call, ast.Call) and len(call.args) == 1:
            text = _text(call.args[0])
            if getattr(call.func, "id", None) in PLAIN and text and advice_for(text):
                yield call.lineno, text


def test_known_texts_are_raised_with_their_advice():
    root = Path(twinflow.__file__).parent
    found = {
        (str(path.relative_to(root)), *pair)
        for path in root.rglob("*.py")
        if _RAISES.search(text := path.read_text("utf-8"))
        for pair in _without_advice(ast.parse(text))
    }
    assert not found, "raise them by base.advice.advised"


def test_plain_errors_are_found():
    tree = ast.parse("raise ValueError(f'Cannot infer num from shape {s}')")
    assert [line for line, _ in _without_advice(tree)] == [1]
    tree = ast.parse("raise advised(ValueError, 'Cannot infer num from shape ?')")
    assert not list(_without_advice(tree))


def test_advice_is_given_once():
    error = advised(ValueError, "Cannot infer num from shape (?,)")
    assert [n[:5] for n in error.__notes__] == ["fix: "]
    assert advised(ValueError, "another text").args == ("another text",)
