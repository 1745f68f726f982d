"""The checks of the engines are checked: what is planted is found."""

import numpy as np
import pytest

from tests.support.engine_checks import Batch, check_batch
from tests.support.op_cases.table import Case
from twinflow.base.op import Op, registry


@pytest.fixture
def planted(monkeypatch):
    """A function that makes a row of an op with these facts."""

    def row(kernel, x, **facts):
        op = Op("Planted(x: T) -> (y: T)", lambda x: x._shape, kernel, **facts)
        monkeypatch.setitem(registry, "Planted", op)
        return Case("Planted", (x,), {}, None, name="Planted-0")

    return row


X = np.array([1.0, 2.0])


def test_engines_that_differ_are_found(planted):
    good = planted(lambda xp: lambda x: x * 2, X)
    check_batch([good], "float32")
    bad = planted(lambda xp: lambda x: x * (2 if xp is np else 2.0001), X)
    with pytest.raises(AssertionError, match=r"Planted-0.*XLA"):
        check_batch([bad], "float32")


def test_integers_are_fed_not_folded(planted):
    row = planted(lambda xp: lambda x: x + (xp is np), np.array([1, 2]))
    assert [a.dtype for a in Batch([row], "float32", True).feeds] == [np.int64]
    with pytest.raises(AssertionError, match=r"Planted-0.*XLA"):
        check_batch([row], "float32")


def test_a_guard_that_fails_does_not_hide_xla(planted):
    row = planted(lambda xp: lambda x: x, X, guard=lambda xp: lambda x: xp.all(x > 1))
    with pytest.raises(AssertionError, match="a guard fails"):
        check_batch([row], "float32")
