"""The draws of native/philox.h are those of ops/random/original.py."""

import numpy as np
import pytest

from twinflow.base import native
from twinflow.ops.random import original
from twinflow.ops.random.original_trials import truncated_normal

pytestmark = pytest.mark.skipif(
    not hasattr(native.fast, "draw"), reason="there is no C module"
)
KEY = original.key_of(np, (87654321, 2**32 - 5))
DRAWS = {
    "words": lambda n: original.words(np, KEY, 2**40 - 1, n),
    "uniform": lambda n: original.uniform(np, KEY, 7, (n,), np.float32),
    "normal": lambda n: original.normal(np, KEY, 7, (n,), np.float32),
    "float16": lambda n: original.normal(np, KEY, 7, (n,), np.float16),
    "truncated": lambda n: truncated_normal(None, KEY, 7, (n,), np.float32),
}


@pytest.mark.parametrize("count", [0, 1, 3, 4, 70_001])  # the last one on all threads
@pytest.mark.parametrize("kind", DRAWS)
def test_it_draws_what_python_draws(kind, count, monkeypatch):
    found = DRAWS[kind](count)
    monkeypatch.setattr(native, "fast", None)
    wanted = DRAWS[kind](count)
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    if kind in ("words", "uniform"):
        np.testing.assert_array_equal(found, wanted)
    else:  # logarithms and sines of another library: a last place here and there
        limit = 4 * np.finfo(found.dtype).eps
        np.testing.assert_allclose(found, wanted, rtol=limit, atol=limit)
        assert (found != wanted).mean() < 0.05 if count > 4 else True


def test_a_read_only_array_is_refused():
    with pytest.raises((BufferError, TypeError, ValueError), match=r"read-only|write"):
        native.fast.draw(original.WORDS, np.frombuffer(b"12345678"), 0, *KEY, 1)
