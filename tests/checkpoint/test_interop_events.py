"""Event files with every kind of summary, written here and read there, and back."""

import numpy as np
import pytest

from tests.checkpoint.there import both, here, there
from tests.modes import graph

__all__ = ["graph", "there"]
TAGS = {"loss", "values", "picture/image/0", "sound/audio/0", "words"}


def flat(values):
    """Nested values as one list."""
    if not isinstance(values, list):
        return [values]
    return [x for v in values for x in flat(v)]


def same(a, b):
    """Whether two event files say the same."""
    assert [e[:3] for e in a] == [e[:3] for e in b]
    for x, y in zip(flat(a), flat(b), strict=True):
        assert x == (y if isinstance(y, str) else pytest.approx(y, rel=1e-6))


def test_what_is_written_is_read(graph, tmp_path):
    here("summaries", path=str(tmp_path))
    (path,) = map(str, tmp_path.iterdir())
    found, ops = here("events", path=path)
    assert {tag for _, tag, _, _ in found} == TAGS and ops == [
        ["Placeholder", "ScalarSummary"]
    ]
    values = {(step, tag): value for step, tag, _, value in found}
    assert values[1, "loss"] == 15 and values[2, "loss"] == 30
    assert values[2, "values"][:4] == [0, 10, 6, 30]
    assert np.shape(values[1, "picture/image/0"][3]) == (2, 3, 1)
    assert values[1, "words"] == [["0", "1"], "text"]


@pytest.mark.interop
@both
def test_event_files_go_both_ways(graph, there, tmp_path):
    paths = []
    for name, write in (("here", here), ("there", there)):
        write("summaries", path=str(tmp_path / name))
        (path,) = (tmp_path / name).iterdir()
        paths.append(str(path))
    ours, theirs = (here("events", path=p) for p in paths)
    same(ours[0], theirs[0])
    assert ours[1] == theirs[1]
    for path, expected in zip(paths, (ours, theirs), strict=True):
        found = there("events", path=path)
        same(found[0], expected[0])
        assert found[1] == expected[1]
