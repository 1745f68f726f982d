"""Calls of ops ask for what TensorFlow's OpDefs allow of their attributes."""

import pytest

from tests.support import fuzzing
from tests.support.engine_checks import samples
from tests.support.op_cases.table import CASES
from twinflow.base import op_defs
from twinflow.base.op import registry

KINDS = set(op_defs.kinds())
FOUND = {row.op: row for row in reversed(CASES) if row.op in KINDS}


def _wrong(attr, usual):
    """A value that the OpDef does not allow, or None."""
    if attr.minimum is not None and isinstance(usual, int):
        return attr.minimum - 1
    if attr.minimum and isinstance(usual, tuple):
        return ()
    return "NEVER" if attr.allowed and isinstance(usual, str) else None


def _cases():
    for kind, row in sorted(FOUND.items()):
        ours = registry[kind].sig.attrs
        for attr in op_defs.find(kind).attrs.values():
            usual = row.attrs.get(attr.name, ours.get(attr.name))
            wrong = _wrong(attr, usual)
            if wrong is not None and attr.name in row.attrs | ours:
                yield kind, attr.name, wrong


ALL = list(_cases())


@pytest.mark.parametrize("kind, name, wrong", ALL)
def test_it_is_refused(kind, name, wrong):
    row = FOUND[kind]
    inputs = [fuzzing.arrays_of(x) for x in samples(row, row.dtypes[0])]
    example = fuzzing.Example(row, inputs, {**row.attrs, name: wrong})
    assert fuzzing.eager(example).error is not None, example
    fuzzing.check(example)


def test_there_are_many():
    assert len(ALL) > 80
