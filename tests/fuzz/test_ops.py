"""Random calls around every row: no crash, and the engines agree; see testing.fuzzing.

`make fuzz` draws fresh examples, many of them; otherwise they are few and the same.
"""

import collections

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twinflow.testing import fuzzing
from twinflow.testing import op_cases  # noqa: F401 - loads the rows
from twinflow.testing.op_cases.table import CASES

GROUPS = collections.defaultdict(list)
for _row in CASES:
    _label = _row.name.rpartition("-")[0]
    if not _label.startswith("Twin"):  # ours alone: nobody else calls them
        GROUPS[_label].append(_row)
MANY = settings().max_examples > 1000  # the profile of `make fuzz`
FEW = settings(max_examples=5, database=None)
COMPILED = settings(max_examples=1, database=None)
KNOWN = ("all", "all", "rank", "nothing")
randoms = st.randoms(use_true_random=False)


def check(label, random, compiled):
    rows = GROUPS[label]
    known = "all" if label in fuzzing.SHAPED else random.choice(KNOWN)
    example = fuzzing.draw(random.choice(rows), rows, random)
    try:
        fuzzing.check(example, known, compiled)
    except NotImplementedError:
        assert label in fuzzing.UNBUILT, example


@pytest.mark.parametrize("label", sorted(GROUPS))
@(settings() if MANY else FEW)
@given(randoms)
def test_eager_and_graphs_agree(label, random):
    check(label, random, False)


@pytest.mark.parametrize("label", sorted(GROUPS) if MANY else sorted(GROUPS)[::40])
@(settings(max_examples=100) if MANY else COMPILED)
@given(randoms)
def test_the_compiler_agrees(label, random):
    check(label, random, True)
