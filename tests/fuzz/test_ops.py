"""Random calls around every row: no crash, and the engines agree; see testing.fuzzing.

`make fuzz` draws fresh examples, many of them, for about 20 minutes on two cores;
otherwise they are few and the same.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support import (
    fuzzing,
    op_cases,  # noqa: F401 - loads the rows
)

GROUPS = fuzzing.grouped()
MANY = settings().max_examples > 1000  # the profile of `make fuzz`
SLOW = {"database": None, "suppress_health_check": [HealthCheck.too_slow]}
RUNS = settings(max_examples=400 if MANY else 10, **SLOW)
COMPILED = settings(max_examples=15 if MANY else 1, **SLOW)
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
@RUNS
@given(randoms)
def test_eager_and_graphs_agree(label, random):
    check(label, random, False)


@pytest.mark.parametrize("label", sorted(GROUPS) if MANY else sorted(GROUPS)[::40])
@COMPILED
@given(randoms)
def test_the_compiler_agrees(label, random):
    check(label, random, True)
