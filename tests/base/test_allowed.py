"""What a call says of a dtype that its op does not take."""

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from twinflow.base import allowed, dtypes
from twinflow.base.op_lookup import load_all, registry


def test_a_refused_type_is_not_named_among_the_allowed():
    load_all()
    pairs = [(op, a, ts) for op in registry.values() for a, ts in op.types.items()]
    assert len(pairs) > 300
    for op, attr, kinds in pairs:
        named = allowed._allowed_text(op, attr, kinds).split(", ")
        for dtype in dtypes.ALL_TYPES:
            if dtype not in kinds and not dtype.is_quantized:
                assert dtype.name not in named, (op, attr)


WHOLE = {
    "reshape": lambda m: tf.shape(tf.reshape(tf.ones([2, 3]), m)),
    "tile": lambda m: tf.shape(tf.tile([[1]], m)),
    "fill": lambda m: tf.fill(m, 1),
    "zeros": tf.zeros,
    "pad": lambda m: tf.pad([1, 2], m[None]),
    "expand_dims": lambda m: tf.expand_dims([1], m[0] - 2),
    "reduce_sum": lambda m: tf.reduce_sum(tf.ones([1, 2, 3, 4]), m[1:]),
    "concat": lambda m: tf.concat([[1], [2]], m[0] * 0),
    "resize": lambda m: tf.image.resize_bilinear(tf.ones([1, 2, 2, 1]), m),
}
REFUSED = {
    "slice": lambda m: tf.slice(tf.ones([9, 9]), m, m),
    "gather": lambda m: tf.gather(tf.range(9), m),
    "random_uniform": tf.random_uniform,
}


@pytest.mark.parametrize("way", ["eager", "session"])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize("name", WHOLE)
def test_floats_of_numpy_are_cut_off_where_the_type_has_a_default(name, kind, way):
    found, wanted = (
        ways.run(way, lambda m=m: lambda: WHOLE[name](m))
        for m in (np.array([2, 3], kind) + kind(0.25), np.array([2, 3]))
    )
    assert np.array_equal(found, wanted)


@pytest.mark.parametrize("way", ["eager", "session"])
@pytest.mark.parametrize("name", REFUSED)
def test_other_floats_are_refused_by_the_name_of_the_parameter(name, way):
    text = r"Value passed to parameter '\w+' has DataType float64 not in list of"
    with pytest.raises(TypeError, match=text):
        ways.run(way, lambda: lambda: REFUSED[name](np.array([2.0, 3.0])))
    with pytest.raises(TypeError, match="'multiples' has DataType float32 not in list"):
        ways.run(way, lambda: lambda: tf.tile([[1]], [2.0, 3.0]))
    with pytest.raises(TypeError, match="Expected int32 passed to parameter 'k' of op"):
        ways.run(way, lambda: lambda: tf.nn.top_k([1.0, 2.0], 1.0))
