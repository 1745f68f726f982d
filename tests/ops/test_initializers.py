"""tf.initializers: values, moments, configurations."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from twinflow.base import dispatch, dtypes
from twinflow.base.shapes import TensorShape
from twinflow.eager.mode import MODE
from twinflow.ops.random import initializers as init
from twinflow.ops.random import initializers_orthogonal
from twinflow.ops.random.draws import set_random_seed

SHAPE = (60, 50)
CONV = (3, 3, 20, 30)


@pytest.fixture(autouse=True)
def seeded():
    with dispatch.entered(MODE):
        set_random_seed(7)
        yield
        set_random_seed(None)


def test_constants():
    assert init.Zeros()([2, 3]).numpy().tolist() == [[0.0] * 3] * 2
    assert init.Ones(dtypes.int32)(TensorShape([2])).numpy().tolist() == [1, 1]
    assert init.Zeros()([1], dtypes.bool).numpy().tolist() == [False]
    assert init.Constant(2.5)([2]).numpy().tolist() == [2.5, 2.5]
    filled = init.Constant([1, 2, 3])([2, 3])
    assert filled.dtype is dtypes.float32
    assert filled.numpy().tolist() == [[1, 2, 3], [3, 3, 3]]
    exact = init.Constant(np.arange(6), dtypes.int64)([2, 3])
    assert exact.numpy().tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_constant_may_be_asked_to_fit():
    with pytest.raises(TypeError):
        init.Constant([1, 2], verify_shape=True)([3])
    with pytest.raises(TypeError):
        init.Constant([1, 2])([3], verify_shape=True)
    with pytest.raises((TypeError, ValueError)):
        init.Constant([1, 2, 3])([2])
    with pytest.raises(TypeError, match="Invalid type for initial value"):
        init.Constant(object())


@pytest.mark.parametrize(
    ("initializer", "shape", "mean", "stddev", "limit"),
    [
        (init.RandomUniform(), SHAPE, 0.5, math.sqrt(1 / 12), 1.0),
        (init.RandomUniform(-2, 2), SHAPE, 0, math.sqrt(16 / 12), 2),
        (init.RandomNormal(1.0, 0.1), SHAPE, 1, 0.1, None),
        (init.TruncatedNormal(1.0, 0.1), SHAPE, 1, 0.0879626, 1.2),
        (init.UniformUnitScaling(2.0), CONV, 0, 2 / math.sqrt(180), None),
        (init.GlorotUniform(), SHAPE, 0, math.sqrt(2 / 110), math.sqrt(6 / 110)),
        (init.GlorotNormal(), SHAPE, 0, math.sqrt(2 / 110), None),
        (init.GlorotNormal(), CONV, 0, math.sqrt(2 / 450), None),
        (init.he_normal(), CONV, 0, math.sqrt(2 / 180), None),
        (init.he_uniform(), SHAPE, 0, math.sqrt(2 / 60), math.sqrt(6 / 60)),
        (init.lecun_normal(), SHAPE, 0, math.sqrt(1 / 60), None),
        (init.lecun_uniform(), SHAPE, 0, math.sqrt(1 / 60), math.sqrt(3 / 60)),
        (init.VarianceScaling(2.0, "fan_out", "normal"), SHAPE, 0, 0.2, 0.4 / 0.8796),
        (init.VarianceScaling(1.0, "fan_avg", "untruncated_normal"), SHAPE, 0,
         math.sqrt(1 / 55), None),
        (init.VarianceScaling(), (3000,), 0, math.sqrt(1 / 3000), None),
    ],
)  # fmt: skip
def test_moments(initializer, shape, mean, stddev, limit):
    x = initializer(shape)
    assert x.dtype is dtypes.float32
    x = x.numpy()
    assert x.shape == shape
    assert abs(x.mean() - mean) < 5 * stddev / math.sqrt(x.size)
    assert abs(x.std() / stddev - 1) < 0.06
    if limit:
        assert 0.98 * limit < np.abs(x).max() <= limit


def test_a_part_of_a_variable_is_scaled_as_the_whole():
    part = SimpleNamespace(full_shape=[600, 500], var_offset=[10, 8])
    x = init.GlorotUniform()(SHAPE, partition_info=part).numpy()
    limit = math.sqrt(6 / 1100)
    assert x.shape == SHAPE and 0.98 * limit < np.abs(x).max() <= limit
    part = SimpleNamespace(full_shape=[4, 4], var_offset=[1, 0])
    x = init.Identity(3.0)([2, 4], partition_info=part).numpy()
    np.testing.assert_array_equal(x, 3 * np.eye(4)[1:3])


@pytest.mark.parametrize("shape", [(5, 5), (7, 3), (3, 7), (2, 3, 4)])
def test_orthogonal(shape):
    x = init.Orthogonal(gain=2.0)(shape, dtypes.float64).numpy()
    assert x.shape == shape
    x = x.reshape(-1, shape[-1])
    gram = x.T @ x if len(x) >= shape[-1] else x @ x.T
    np.testing.assert_allclose(gram, 4 * np.eye(len(gram)), atol=1e-12)


def test_identity():
    x = init.Identity(2.0)([2, 3])
    assert x.dtype is dtypes.float32
    np.testing.assert_array_equal(x.numpy(), 2 * np.eye(2, 3))


def test_seeds():
    a, b = init.GlorotUniform(seed=3)(SHAPE), init.GlorotUniform(seed=3)(SHAPE)
    set_random_seed(7)
    again = init.GlorotUniform(seed=3)(SHAPE).numpy()
    np.testing.assert_array_equal(a.numpy(), again)
    assert not np.array_equal(a.numpy(), b.numpy())
    assert not np.array_equal(init.he_normal()([4]), init.he_normal()([4]))


ALL = [
    init.Zeros(), init.Ones(dtypes.int32), init.Constant(3), init.RandomUniform(1, 2),
    init.RandomNormal(1.0, 2.0, 3), init.TruncatedNormal(1.0, 2.0, 3, dtypes.float64),
    init.UniformUnitScaling(2.0, 3), init.VarianceScaling(2.0, "fan_out", "uniform", 3),
    init.GlorotUniform(3), init.GlorotNormal(3), init.Orthogonal(2.0, 3),
    init.Identity(2.0), init.he_normal(3), init.lecun_uniform(3),
]  # fmt: skip


@pytest.mark.parametrize("initializer", ALL, ids=repr)
def test_configurations_come_back(initializer):
    config = initializer.get_config()
    again = type(initializer).from_config(config)
    assert again.get_config() == config and type(again) is type(initializer)
    assert again.dtype is initializer.dtype
    named = init.get({"class_name": type(initializer).__name__, "config": config})
    assert named.get_config() == config and type(named) is type(initializer)


def test_get():
    assert init.get(None) is None
    assert init.get(max) is max
    assert init.get(ALL[0]) is ALL[0]
    assert isinstance(init.get("zeros"), init.Zeros)
    assert isinstance(init.get("GlorotUniform"), init.GlorotUniform)
    assert init.get("he_normal").scale == 2.0
    for wrong in ("nothing", 3):
        with pytest.raises(ValueError, match="Could not interpret initializer"):
            init.get(wrong)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: init.VarianceScaling(0), "`scale` must be positive float"),
        (lambda: init.VarianceScaling(mode="fan"), "Invalid `mode` argument"),
        (lambda: init.VarianceScaling(distribution="x"), "Invalid `distribution`"),
        (lambda: init.RandomNormal(dtype=dtypes.int32), "Expected floating point type"),
        (lambda: init.Orthogonal()([3]), "must be at least two-dimensional"),
        (lambda: init.Identity()([3]), "can only be used for 2D matrices"),
    ],
)
def test_errors(make, text):
    with pytest.raises(ValueError, match=text):
        make()


@pytest.mark.parametrize("axes", [1, 2, 3])
def test_orthogonal_convolutions_keep_lengths(eager, axes):
    kind = getattr(initializers_orthogonal, f"ConvolutionOrthogonal{axes}D")
    kernel = kind(gain=4.0, seed=1)([3] * axes + [2, 4]).numpy().astype(np.float64)
    image = np.random.RandomState(0).randn(*[5] * axes, 2)
    spectra = np.fft.fftn(image, axes=range(axes))
    taps = np.fft.fftn(kernel, s=[5] * axes, axes=range(axes))
    found = np.einsum("...i,...io->...o", spectra, taps)
    ratio = (abs(found) ** 2).sum() / (abs(spectra) ** 2).sum()
    np.testing.assert_allclose(ratio, 4.0, rtol=1e-5)
    delta = initializers_orthogonal.ConvolutionDeltaOrthogonal(gain=4.0)
    middle = delta([3] * axes + [2, 4]).numpy()[(1,) * axes]
    np.testing.assert_allclose(middle @ middle.T, 4.0 * np.eye(2), atol=1e-5)
    with pytest.raises(ValueError, match="In_filters cannot be greater"):
        kind()([3] * axes + [4, 2])
