"""A sample of the corpus; `python -m tests.verification.corpus` runs all of it."""

import os

import pytest

from tests.verification.corpus.programs import marked, programs, verdict

WHOLE = bool(os.environ.get("TWINFLOW_VERIFY_CORPUS"))


def sample(kind):
    """One program of each class; every fifth of the sound ones."""
    seen, rows = set(), list(programs(kind))
    for i, (name, wanted, source) in enumerate(rows):
        new = wanted not in seen if wanted else i % 5 == 0
        if WHOLE or new:
            seen.add(wanted)
            yield pytest.param(wanted, source, name, id=name)


@pytest.mark.parametrize(("wanted", "source", "name"), list(sample("broken")))
def test_broken(wanted, source, name):
    found, _ = verdict(name, source, compiled=WHOLE)
    assert found.differences, found
    first = found.differences[0]
    assert (first.kind, first.line) == (wanted, marked(source)), first.as_text()


@pytest.mark.parametrize(("wanted", "source", "name"), list(sample("sound")))
def test_sound(wanted, source, name):
    found, error = verdict(name, source, compiled=WHOLE)
    assert found, found
    assert not error
