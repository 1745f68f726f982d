"""Random programs: every way to run them agrees, and so does TensorFlow 1.12.

`make fuzz` draws 20,000 fresh programs (about an hour on two quiet cores), and 3,000
for TensorFlow; otherwise they are few and the same.
"""

import collections
import random

import numpy as np
import pytest
from hypothesis import settings

import twinflow as tf
from tests import ways
from tests.support import programs_check, programs_run, programs_there
from tests.support.programs_shrink import shrunk
from tests.support.programs_text import call, program

MANY = settings().max_examples > 1000  # the profile of `make fuzz`
PARTS, EACH = (200, 100) if MANY else (10, 20)
FIRST = random.SystemRandom().randrange(2**40) if MANY else 0
TOGETHER, ALONE = 20, 20  # programs in one graph; each how many-th as a function
THERE = 3000 if MANY else 60

pytestmark = pytest.mark.hypothesis  # what `make fuzz` runs


@pytest.mark.parametrize("part", range(PARTS))
def test_every_way_agrees(part, record_property):
    counts = collections.Counter()
    fine = []
    for seed in _seeds(part):
        source = program(seed)
        record = _checked(source, programs_check.check)
        counts[record.error or "results"] += 1
        fine += [] if record.error else [source]
    if not MANY and part % 2:
        return
    for start in range(0, len(fine), TOGETHER):
        for source, _ in programs_check.differing(fine[start : start + TOGETHER]):
            _checked(source, programs_check.check_compiled_alone)
    for source in fine[::ALONE]:
        _checked(source, programs_check.check_compiled_function)
    if MANY:
        record_property("summary", f"programs {part}: {dict(counts)}")


def _seeds(part):
    return range(FIRST + part * EACH, FIRST + (part + 1) * EACH)


def _checked(source, check):
    """What `check` gives; where it fails, the shortest program that fails alike."""
    try:
        return check(source)
    except programs_check.Disagreement as found:
        label = found.label

    def fails(shorter):
        try:
            check(shorter)
        except programs_check.Disagreement as again:
            return again.label == label
        return False

    return check(shrunk(source, fails))


@pytest.mark.parametrize("part", range(PARTS))
def test_calls_on_odd_inputs_agree(part):
    for seed in _seeds(part):
        _checked(call(seed), programs_check.check)


@pytest.mark.interop
@pytest.mark.parametrize("draw", [program, call])
def test_tensorflow_agrees(draw, tf112_python, tmp_path, record_property):
    sources = [draw(seed) for seed in range(FIRST, FIRST + THERE)]
    counts, unexplained = collections.Counter(), []
    found = programs_there.records(tf112_python, sources, tmp_path)
    for source, theirs in zip(sources, found, strict=True):
        if theirs is None:
            counts["crashes of TensorFlow"] += 1
            continue
        differences = list(programs_there.differences(source, theirs))
        counts["agree" if not differences else "differ, explained"] += 1
        for mode, what, why in differences:
            counts[why] += 1
            unexplained += [] if why else [f"{mode}: {what}\n{source}"]
    record_property("summary", f"{draw.__name__}s in TensorFlow 1.12: {dict(counts)}")
    assert not unexplained, "\n".join(unexplained)


# ------------------------------------------------------------------ the tester
def test_programs_are_varied_and_repeatable():
    sources = [program(seed) for seed in range(60)]
    assert sources[:5] == [program(seed) for seed in range(5)]
    for text in ("tf.cond(", "tf.while_loop(", "G(", "tfe.Variable(", "TensorArray("):
        assert sum(text in s for s in sources) >= 3, text
    lines = [s.count(" = ") for s in sources]
    assert np.median(lines) >= 10


LINES = """\
ARRAYS = [np.array([0.5, 2.0], 'float32')]
SHAPES = [[2]]
def variables():
    return []
def program(x1):
    t2 = tf.sin(x1)
    t3 = tf.exp(t2)
    t4 = tf.cos(t3)
    return [t2, t4]
"""


@pytest.mark.parametrize("factor", [1 + 3e-5, np.nan])
def test_a_planted_error_is_found(factor):
    with ways.eager():
        record = programs_run.eager(tf, LINES)
    limits = programs_check.rounding(LINES, record)
    wrong = programs_run.Record([a * np.float32(factor) for a in record.arrays])
    programs_check.compare(LINES, record, record, "same", limits)
    with pytest.raises(programs_check.Disagreement, match="values of output 0"):
        programs_check.compare(LINES, record, wrong, "other", limits)


def test_what_rounding_decides_says_nothing():
    source = LINES.replace("tf.cos(t3)", "tf.floor(tf.exp(t2) / t3)")
    with ways.eager():
        record = programs_run.eager(tf, source)
    first, second = programs_check.rounding(source, record)
    assert (first < 1e-4).all() and (second >= 1).all()


def test_what_denormals_decide_says_nothing():
    source = LINES.replace("tf.cos(t3)", "t3 * 1e-39").replace(", t4]", ", t4 > 0.]")
    with ways.eager():
        record = programs_run.eager(tf, source)
    assert np.isnan(programs_check.rounding(source, record)[1]).all()


def test_shrinking_keeps_what_fails():
    source = shrunk(LINES, lambda s: "tf.exp(" in s and "t4" in s.split("return")[-1])
    assert source.split("\n")[-3:] == ["    t3 = tf.exp(t2)", "    return [t4]", ""]
