"""The examples in the public docstrings run as they stand, and state true values.

`-k ops` runs those of one package. Each has a process of its own and an empty folder.
"""

import functools

import pytest

from tests.fresh.processes import Zygote
from tests.source_tree import ROOT
from tests.support.docstring_examples import Example, examples, section

SHARES = {"ops": 3, "keras": 2}  # packages of many examples, for workers to share
PACKAGES = sorted(path.name for path in (ROOT / "twinflow").iterdir() if path.is_dir())
RUNS = [
    pytest.param(package, share, id=f"{package}-{share}")
    for package in PACKAGES
    if package != "__pycache__"
    for share in range(SHARES.get(package, 1))
]

collected = functools.cache(examples)


@pytest.fixture(scope="module")
def loaded():
    """The process that the examples are children of."""
    with Zygote("loaded") as process:
        yield process


def failures(process, chosen):
    """Lines on the examples that do not do what they say."""
    lines = []
    for example in chosen:
        process.ask(example.program())
        shown = process.answer()
        if shown:
            indented = example.code.replace("\n", "\n    ")
            error = f"{shown[-1]['error']}: {shown[-1]['text']}"
            lines.append(f"{example.name}: {error}\n    {indented}")
    return lines


@pytest.mark.parametrize(("package", "share"), RUNS)
def test_examples_do_as_they_say(loaded, package, share):
    shares = SHARES.get(package, 1)
    chosen = [example for example in collected() if example.package == package]
    lines = failures(loaded, chosen[share::shares])
    assert not lines, "\n".join([f"{len(lines)} fail:", *lines])


def test_every_kind_of_public_name_is_looked_at():
    names = {example.name for example in collected()}
    assert {"tf.add", "tf.clip_by_value", "tf.data.Dataset.batch"} <= names
