"""The blocks of ops state what only they know."""

import ast

import pytest

from tests.source_tree import ROOT, TOP, python_files
from twinflow.base import op_defs, signature


def restated(source, path):
    """Signatures in a file that TensorFlow's OpDefs give just so."""
    wrong = []
    for node in ast.walk(ast.parse(source)):
        line = _signature(node)
        if line is None or not _same(signature.parse(line)):
            continue
        wrong.append(f"{path}:{node.lineno} say only the type: {line}")
    return wrong


def _signature(node):
    if not isinstance(node, ast.Call) or getattr(node.func, "id", None) != "define":
        return None
    first = node.args[0] if node.args else None
    text = first.value if isinstance(first, ast.Constant) else ""
    return text if isinstance(text, str) and "(" in text else None


def _same(sig):
    if op_defs.find(sig.type) is None:
        return False
    host = " ".join(a.name for a in sig.inputs if a.host)
    known = signature.of_op_def(sig.type, host)
    ours, theirs = (*sig.inputs, *sig.outputs), (*known.inputs, *known.outputs)
    alike = (known.inputs, known.outputs) == (sig.inputs, sig.outputs)
    fixed = all(a.dtype is b.dtype for a, b in zip(ours, theirs, strict=False))
    return alike and fixed and not known.attrs.keys() - sig.attrs.keys()


def test_no_block_restates_the_op_def():
    wrong = []
    for path in python_files(TOP):
        wrong += restated((ROOT / path).read_text(), path)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('define("Erfc(x: T) -> (y: T)", infer=same)', 1),
        ('define("Erfc", infer=same)', 0),
        ('define("TwinTie(x: T) -> (y: T)", infer=same)', 0),
    ],
)
def test_a_planted_signature_is_found(line, found):
    assert len(restated(line, "here.py")) == found
