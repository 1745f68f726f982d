"""Errors of converted code name the user's lines, in tracing and at run time."""

import re
import traceback
from pathlib import Path

import pytest

import twinflow as tf
from tests import ways
from tests.autograph import failing
from tests.autograph.failing import FAILING

LINES = Path(failing.__file__).read_text().splitlines()


def _marked(name, mark):
    """The number of the first line with a mark, in a function or what it calls."""
    start = next(i for i, text in enumerate(LINES) if f"def {name}(" in text)
    found = (i for i in range(start, len(LINES)) if LINES[i].endswith(mark))
    return next(found, -1) + 1


@pytest.mark.parametrize("name", FAILING)
def test_errors_name_the_lines_of_the_program(name):
    function, kind, text, args = FAILING[name]
    with ways.eager(), ways.interpreted(), pytest.raises(kind, match=text) as caught:
        tf.function(function)(*map(tf.constant, args))
    error = caught.value
    frames = traceback.extract_tb(error.__traceback__)
    seen = {f.lineno for f in frames if f.filename == failing.__file__}
    said = "\n".join([str(error), *getattr(error, "__notes__", ())])
    named = re.findall(r"failing\.py[:\",]*(?: line )?(\d+)", said)
    seen |= set(map(int, named))
    inner = "_called" if name == "inside_a_called_function" else name
    assert _marked(inner, "# here") in seen
    before = _marked(name, "# before")
    if 0 < before < _marked(inner, "# here"):
        assert before in seen


def test_without_autograph_python_refuses_tensors():
    def f(x):
        return x if x > 0.0 else -x

    with ways.eager():
        for make in (lambda g: tf.function(g, autograph=False), tf.contrib.eager.defun):
            with pytest.raises(TypeError, match="as a Python `bool` is not allowed"):
                make(f)(tf.constant(1.0))
        assert (
            float(tf.contrib.eager.defun(f, autograph=True)(tf.constant(-1.0))) == 1.0
        )


def test_tensors_are_compared_by_their_elements():
    @tf.function
    def f(x, y):
        return x == y, x != y, x == None  # noqa: E711

    with ways.eager():
        same, other, none = f(tf.constant(2), tf.constant(2))
    assert (bool(same), bool(other), bool(none)) == (True, False, False)


def test_prints_and_assertions_come_in_order(capsys):
    @tf.function
    def f(x):
        for v in x:
            print("v is", v)
            if v > 1.0:
                print("large")
        return x

    with ways.eager(), ways.interpreted():
        f(tf.constant([1.0, 2.0]))
    assert capsys.readouterr().out == "v is 1\nv is 2\nlarge\n"


def test_graphs_run_assertions_before_results():
    def f(x):
        assert x > 0.0, "small"
        return x * 2.0

    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [])
        y = tf.contrib.autograph.to_graph(f)(x)
        assert sess.run(y, {x: 2.0}) == 4.0
        with pytest.raises(tf.errors.InvalidArgumentError, match="small"):
            sess.run(y, {x: -2.0})
