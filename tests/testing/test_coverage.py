"""Nothing of TensorFlow 1.12 is missing outside the lists of base/unsupported.txt."""

import re
from pathlib import Path

import pytest

import twinflow as tf
from tests.support import coverage
from twinflow.base.unsupported import group_of_op, group_of_symbol, groups
from twinflow.compat.door import table
from twinflow.compat.refused import refusal

PAGE = Path(__file__).parents[2] / "docs" / "migration" / "refused.md"


@pytest.fixture(scope="module")
def report():
    return coverage.Report()


def test_nothing_is_missing(report):
    assert not report.missing


def test_functions_take_the_arguments_of_tensorflow(report):
    assert not report.arguments


def test_what_is_missing_would_be_found(monkeypatch):
    absent = coverage.Symbol("no_such_function", [], [])
    monkeypatch.setattr(coverage, "symbols", lambda: [absent])
    monkeypatch.setattr(coverage, "op_types", lambda: {"NoSuchOp": []})
    found = coverage.Report()
    assert found.missing == ["tf.no_such_function", "op NoSuchOp"]
    assert found.there == 0


def test_missing_arguments_and_members_would_be_found(monkeypatch):
    symbols = [
        coverage.Symbol("add", ["x", "y", "colour"], []),
        coverage.Symbol("TensorShape", [], ["rank_of_honour"]),
    ]
    monkeypatch.setattr(coverage, "symbols", lambda: symbols)
    monkeypatch.setattr(coverage, "op_types", lambda: {"Add": ["a", "b"]})
    found = coverage.Report()
    assert found.missing == ["tf.TensorShape.rank_of_honour"]
    assert "tf.add does not take colour" in found.arguments
    assert len(found.arguments) == 2


def test_every_listed_name_is_one_of_tensorflow():
    names = [s.path for s in coverage.symbols()]
    names += [f"{s.path}.{m}" for s in coverage.symbols() for m in s.members]
    names += table.packages()  # of tf.contrib
    names += ["pywrap_tensorflow.TF_LoadLibrary"]  # and what lies in packages
    groups_used = {group_of_symbol(name) for name in names}
    groups_used |= {group_of_op(kind) for kind in coverage.op_types()}
    assert groups_used >= set(groups())


@pytest.mark.parametrize(
    "call",
    [
        lambda: tf.load_op_library("a.so"),
        lambda: tf.load_file_system_library("a.so"),
    ],
)
def test_refusals_say_so(call):
    with pytest.raises(tf.errors.UnimplementedError, match="is not part of twinflow"):
        call()


def test_only_refused_names_can_be_refused():
    for name in ("add", "keras.Input"):
        with pytest.raises(AttributeError, match="twinflow has no tf"):
            refusal(name)


def test_a_page_lists_what_is_refused():
    table = PAGE.read_text()
    missing = [
        g.title
        for g in groups()
        if g.kind == "refused" and not re.search(re.escape(g.title), table)
    ]
    assert not missing
