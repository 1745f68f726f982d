"""The public random functions: dtypes, bounds, errors, names in graphs."""

import numpy as np
import pytest

from twinflow.base import dispatch, dtypes, errors
from twinflow.eager.mode import MODE
from twinflow.graph.graph import Graph
from twinflow.ops.core.constant import constant
from twinflow.ops.random import choice
from twinflow.ops.random.draws import random_normal, random_uniform, truncated_normal
from twinflow.ops.random.streams import set_random_seed


@pytest.fixture(autouse=True)
def eager():
    """Eager execution without a seed."""
    with dispatch.entered(MODE):
        set_random_seed(None)
        yield
        set_random_seed(None)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("draw", [random_uniform, random_normal, truncated_normal])
def test_dtypes_and_shapes(draw, dtype):
    shapes = (2, 3), np.array([2, 3]), constant([2, 3], dtypes.int64), [constant(2), 3]
    for shape in shapes:
        t = draw(shape, dtype=dtype)
        assert t.dtype.name == dtype and t.numpy().shape == (2, 3)
    assert draw([], dtype=dtype).numpy().shape == ()


def test_bounds():
    set_random_seed(7)
    x = random_uniform([1000], -2.0, [[1.0], [5.0]]).numpy()
    assert x.shape == (2, 1000) and x.min() > -2
    assert 0.99 < x[0].max() < 1 and 4.9 < x[1].max() < 5
    i = random_uniform([1000], constant(-1), 3, dtypes.int32).numpy()
    assert set(i.tolist()) == {-1, 0, 1, 2}
    z = random_normal([1000], mean=3.0, stddev=0.1).numpy()
    assert abs(z.mean() - 3) < 0.02 and abs(z.std() - 0.1) < 0.01
    z = truncated_normal([1000], mean=[3.0], stddev=0.1).numpy()
    assert 2.8 < z.min() < 2.82 and 3.18 < z.max() < 3.2


def test_standard_and_scaled_draws_agree():
    set_random_seed(7)
    plain = [random_uniform([9]), random_normal([9]), truncated_normal([9])]
    set_random_seed(7)
    zero, one = constant(0.0), constant(1.0)
    scaled = [f([9], zero, one) for f in (random_uniform, random_normal)]
    for a, b in zip(plain, [*scaled, truncated_normal([9], zero, one)], strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy())


INVALID = errors.InvalidArgumentError


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: random_uniform(3), INVALID,
         r"shape must be a vector of \{int32,int64\}, got shape \[\]"),
        (lambda: random_normal([[2]]), INVALID, r"got shape \[1,1\]"),
        (lambda: truncated_normal([-1, 2]), INVALID, "Dimension -1 must be >= 0"),
        (lambda: random_uniform([2.5]), TypeError,
         "'shape' has DataType float32 not in list of allowed values: int32, int64"),
        (lambda: random_uniform([2], dtype=dtypes.int32), ValueError,
         "Must specify maxval for integer dtype tf.int32"),
        (lambda: random_uniform([2], maxval=3, dtype=dtypes.int8), ValueError,
         "Invalid dtype tf.int8"),
        (lambda: random_uniform([2], 5, 5, dtypes.int32), INVALID,
         "Need minval < maxval, got 5 >= 5"),
        (lambda: random_uniform([2], 0, [1, 2], dtypes.int32), INVALID,
         r"maxval must be 0-D, got shape \[2\]"),
        (lambda: random_normal([2], dtype=dtypes.int32), TypeError, "int32"),
        (lambda: choice.multinomial([1.0, 2.0], 3), INVALID,
         r"logits should be a matrix, got shape \[2\]"),
        (lambda: choice.multinomial([[1.0, 2.0]], -1), INVALID,
         "num_samples should be nonnegative, got -1"),
        (lambda: choice.multinomial([[1.0, 2.0]], [1]), INVALID,
         r"num_samples should be a scalar, got shape \[1\]"),
        (lambda: choice.multinomial(np.zeros((2, 0), np.float32), 1), INVALID,
         "num_classes should be positive, got 0"),
        (lambda: choice.random_crop(np.zeros((3, 3)), [4, 1]), INVALID,
         r"Need value.shape >= size, got \[3,3\] and \[4,1\]"),
    ],
)  # fmt: skip
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_an_empty_draw_needs_no_range():
    assert random_uniform([0], 5, 5, dtypes.int32).numpy().shape == (0,)


def test_names_in_graphs_are_those_of_tensorflow():
    with Graph().as_default() as graph:
        random_uniform([2])
        random_normal([2], name="noise")
        random_uniform([2], maxval=3, dtype=dtypes.int32)
        choice.random_shuffle([1, 2])
        choice.multinomial([[1.0, 2.0]], 2)
    assert [n.name for n in graph.nodes] == [
        "random_uniform/shape", "random_uniform/min", "random_uniform/max",
        "random_uniform/RandomUniform", "random_uniform/sub", "random_uniform/mul",
        "random_uniform",
        "noise/shape", "noise/mean", "noise/stddev", "noise/RandomStandardNormal",
        "noise/mul", "noise",
        "random_uniform_1/shape", "random_uniform_1/min", "random_uniform_1/max",
        "random_uniform_1",
        "RandomShuffle/value", "RandomShuffle",
        "multinomial/logits", "multinomial/Multinomial/num_samples",
        "multinomial/Multinomial",
    ]  # fmt: skip
