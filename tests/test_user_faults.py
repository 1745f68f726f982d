"""A mistake of the user is no AssertionError, but where TensorFlow's API asserts.

Where TensorFlow 1.12 raises one all the same, base.errors.UsageError is one, too.
"""

import ast
import subprocess
import sys

import pytest

import twinflow as tf
from tests.source_tree import ROOT
from twinflow.base.errors import UsageError

PACKAGE = ROOT / "twinflow"
ASSERTING = (  # what a test or the user calls in order to be told by an AssertionError
    "twinflow/testing/",
    "twinflow/compat/door/keras_testing.py",
    "twinflow/graph/graph_def/compare.py",  # tf.test.assert_equal_graph_def
)


def _functions_and(tree):
    """(name of the innermost function around it, node)"""
    stack = [("", tree)]
    while stack:
        name, node = stack.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name = node.name
        yield name, node
        stack.extend((name, child) for child in ast.iter_child_nodes(node))


def assertions_of(tree):
    """(line, what stands there) where users would meet an AssertionError."""
    for name, node in _functions_and(tree):
        raised = node.exc if isinstance(node, ast.Raise) else None
        raised = raised.func if isinstance(raised, ast.Call) else raised
        is_error = isinstance(raised, ast.Name) and raised.id == "AssertionError"
        if (isinstance(node, ast.Assert) or is_error) and "assert_" not in name:
            yield node.lineno, ast.unparse(node)


def test_no_module_asserts():
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if not str(path.relative_to(ROOT)).startswith(ASSERTING)
        for source in [path.read_text()]
        if "assert" in source or "AssertionError" in source  # the others: not parsed
        for line, text in assertions_of(ast.parse(source))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "source, count",
    [
        ("def f():\n    assert x", 1),
        ("raise AssertionError", 1),
        ("def f():\n    raise AssertionError('a')", 1),
        ("def assert_consumed():\n    raise AssertionError('a')", 0),
        ("def f():\n    raise ValueError('a')", 0),
    ],
)
def test_the_check_itself(source, count):
    assert len(list(assertions_of(ast.parse(source)))) == count


def test_both_kinds_catch_what_tensorflow_asserts(tmp_path):
    builder = tf.saved_model.builder.SavedModelBuilder
    (tmp_path / "model").mkdir()
    (tmp_path / "model/saved_model.pb").touch()
    for kind in AssertionError, ValueError:
        with pytest.raises(kind, match="Export directory already exists"):
            builder(str(tmp_path / "model"))
    assert issubclass(UsageError, ValueError) and issubclass(UsageError, AssertionError)


@pytest.mark.parametrize("value", [(), None, "path"])
def test_lists_of_checkpoints(value):
    with tf.Graph().as_default():
        tf.Variable(1.0)
        saver = tf.train.Saver()
        for method in (
            saver.set_last_checkpoints, saver.set_last_checkpoints_with_time
        ):  # fmt: skip
            with pytest.raises(TypeError, match="must be a list, but got"):
                method(value)


def test_mistakes_are_seen_under_python_o():
    program = (
        "import twinflow as tf\n"
        "tf.Variable(1.0)\n"
        "try:\n"
        "    tf.train.Saver().set_last_checkpoints(())\n"
        "except TypeError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-O", "-c", program], capture_output=True, text=True,
        cwd=ROOT, check=False,
    )  # fmt: skip
    assert "must be a list" in done.stdout, done.stderr
