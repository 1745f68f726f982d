"""The examples in the public docstrings run as they stand, and state true values.

`-k ops` runs those of one package. Each has a process of its own and an empty folder.
"""

import functools

import numpy as np
import pytest

import twinflow as tf
from tests.source_tree import ROOT
from tests.support.docstring_examples import Example, check, examples, section

SHARES = {"ops": 4, "keras": 2}  # of packages with many examples, for workers to share
PACKAGES = sorted(path.parent.name for path in ROOT.glob("twinflow/*/__init__.py"))
RUNS = [
    pytest.param(package, share, id=f"{package}-{share}")
    for package in PACKAGES
    for share in range(SHARES.get(package, 1))
]


@functools.cache
def collected():
    return examples()


def failure(loaded, example):
    """How an example does not do what it says, as text, or None."""
    loaded.ask(example.program())
    shown = loaded.answer()
    if not shown:
        return None
    code = example.code.replace("\n", "\n    ")
    return f"{example.name}: {shown[-1]['error']}: {shown[-1]['text']}\n    {code}"


@pytest.mark.parametrize(("package", "share"), RUNS)
def test_examples_do_as_they_say(loaded, package, share):
    chosen = [e for e in collected() if e.package == package]
    lines = [
        failure(loaded, example) for example in chosen[share :: SHARES.get(package, 1)]
    ]
    lines = [line for line in lines if line]
    assert not lines, "\n".join([f"{len(lines)} fail:", *lines])


def test_every_package_with_public_names_is_looked_at():
    names = {example.name for example in collected()}
    assert {"tf.add", "tf.Session", "tf.GradientTape.memory"} <= names
    assert {example.package for example in collected()} <= set(PACKAGES)
    assert len(names) > 600


PLANTED = [
    ("tf.add(1, 2)  # 4", "3 is not what is stated: 4"),
    ("y = tf.add(1, 2)  # [3]", "3 is not what is stated"),
    ("for x in [1, 2]:\n    print(x)  # 1", "2 is not what is stated"),
    ("tf.zeros([2])  # float32[3]", "is not what is stated"),
    ("tf.float32 == tf.int32", "False is not what is stated: True"),
    ("tf.add(x, 1)", "name 'x' is not defined"),
    ("x y", "invalid syntax"),
    ("with tf.Session() as sess: sess.run(tf.constant(1))  # 2", "is not what is"),
    ("open('a.txt')", "No such file"),
]


@pytest.mark.parametrize(("code", "text"), PLANTED)
def test_planted_mistakes_are_found(loaded, code, text):
    assert text in failure(loaded, Example("tf.f", "ops", code))


def test_true_examples_pass_whatever_ran_before(loaded):
    for code in (
        "tf.add(1, 2)  # 3",
        "with open('a.txt', 'w') as f: f.write('a')  # 1",
        "import os\nos.listdir('.')  # []",
        "tf.placeholder(tf.float32, name='x').name  # 'x:0'",
        "y = [tf.constant([1, 2]),\n     tf.constant(0.5)]  # [[1, 2],\n# 0.5]",
        "x = 1; tf.negative(x)  # -1",
    ):
        assert failure(loaded, Example("tf.f", "ops", code)) is None


@pytest.mark.parametrize(
    ("value", "stated"),
    [
        (0.6667, "0.667"),
        (np.float32(0.1), "0.1"),
        (-3.4028e38, "-3.4e38"),
        ([[1.0, 2.0]], "1., 2."),
        (np.array([1 + 2j]), "[1+2j]"),
        ([np.nan, -np.inf], "[nan, -inf]"),
        (tf.TensorShape([2, 3]), "(2, 3)"),
        ({"a": [b"x"]}, '{"a": [b"x"]}'),
        (True, "True"),
    ],
)
def test_true_values_pass(value, stated):
    assert check(value, stated) is value


@pytest.mark.parametrize(
    ("value", "stated"),
    [
        (0.6667, "0.666"),
        (2.2, "2"),
        ([1.0], "[1.0, 2.0]"),
        ([[1, 2]], "[1, 2]"),
        (3.6e38, "3.4e38"),
        ("a", 'b"a"'),
        ({"a": 1}, '{"b": 1}'),
        (1 + 1j, "1+2j"),
    ],
)
def test_other_values_do_not(value, stated):
    with pytest.raises(AssertionError, match="is not what is stated"):
        check(value, stated)


def test_an_example_ends_with_its_section():
    docstring = """Add.

    Example:
        tf.add(
            1, 2)

        tf.add(3, 4)
    Raises:
        ValueError: never.
    """
    assert section(docstring) == "tf.add(\n    1, 2)\n\ntf.add(3, 4)"
    assert section("Example: `f(1)`, `f(2)`.") == "f(1)\nf(2)"
    assert section("For example: f.") is None
