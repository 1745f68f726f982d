"""Functions of single ops: onnxruntime, what is read back, and our own results."""

import numpy as np
import pytest

import twinflow as tf
from tests.interchange.onnx.both import both_ways

_RANDOM = np.random.RandomState(0)


def _floats(*shape):
    return _RANDOM.randn(*shape).astype("f4")


def _reduced(kind):
    return getattr(tf, f"reduce_{kind}")


CASES = {
    "reflected": (lambda x: tf.pad(x, [[0, 0], [1, 2]], "REFLECT"), [_floats(2, 4)]),
    "symmetric": (lambda x: tf.pad(x, [[1, 2], [3, 0]], "SYMMETRIC"), [_floats(2, 4)]),
    "while": (lambda x: tf.while_loop(
        lambda i, s: i < 4, lambda i, s: (i + 1, s * 2.0 + tf.to_float(i)), (0, x)
    )[1], [_floats(2, 3)]),
    "while_of_data": (lambda x: tf.while_loop(
        lambda s: tf.reduce_sum(s) < 50.0, lambda s: s * 2.0, [x]
    ), [abs(_floats(2, 3))]),
    "cond": (lambda x: tf.cond(
        tf.reduce_sum(x) > 0.0, lambda: x + 1.0, lambda: x - 1.0
    ), [_floats(2, 3)]),
    "softmax": (tf.nn.softmax, [_floats(2, 3)]),
    "softmax_axis": (lambda x: tf.nn.softmax(x, axis=0), [_floats(2, 3)]),
    "cross_entropy": (lambda x, y: tf.nn.softmax_cross_entropy_with_logits_v2(
        labels=tf.nn.softmax(y), logits=x), [_floats(2, 3), _floats(2, 3)]),
    "sparse_cross_entropy": (
        lambda x, y: tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x),
        [_floats(2, 3), np.array([0, 2], "i4")],
    ),
    "sigmoid_cross_entropy": (
        lambda x: tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=x),
        [_floats(2, 3)],
    ),
    "top_k": (lambda x: tf.nn.top_k(x, 2), [_floats(2, 5)]),
    "gather": (lambda x: tf.gather(x, [2, 0], axis=1), [_floats(2, 5)]),
    "gather_nd": (lambda x: tf.gather_nd(x, [[0, 1], [1, 2]]), [_floats(2, 5)]),
    "one_hot": (lambda i: tf.one_hot(i, 4), [np.array([0, 3, -1, 7], "i4")]),
    "one_hot_axis": (
        lambda i: tf.one_hot(i, 4, 2.0, 1.0, axis=0), [np.array([[0, 3]], "i4")]
    ),
    "matmul": (lambda a, b: tf.matmul(a, b, transpose_a=True, transpose_b=True),
               [_floats(3, 2), _floats(4, 3)]),
    "batch_matmul": (lambda a, b: tf.matmul(a, b, adjoint_b=True),
                     [_floats(2, 3, 4), _floats(2, 5, 4)]),
    "einsum": (lambda a, b: tf.einsum("bij,bkj->bik", a, b),
               [_floats(2, 3, 4), _floats(2, 5, 4)]),
    "tensordot": (lambda a: tf.tensordot(a, tf.ones([4, 2]), 1), [_floats(2, 3, 4)]),
    "resize": (lambda x: tf.image.resize_bilinear(x, [7, 9]), [_floats(1, 4, 5, 2)]),
    "resize_corners": (
        lambda x: tf.image.resize_bilinear(x, [7, 9], align_corners=True),
        [_floats(1, 4, 5, 2)],
    ),
    "bicubic": (lambda x: tf.image.resize_bicubic(x, [7, 9]), [_floats(1, 4, 5, 2)]),
    "bicubic_corners": (
        lambda x: tf.image.resize_bicubic(x, [3, 11], align_corners=True),
        [_floats(1, 4, 5, 2)],
    ),
    "area": (lambda x: tf.image.resize_area(x, [3, 7]), [_floats(1, 4, 5, 2)]),
    "nearest": (lambda x: tf.image.resize_nearest_neighbor(x, [7, 9]),
                [_floats(1, 4, 5, 2)]),
    "concat": (lambda x: tf.concat([x, x * 2.0], 1), [_floats(2, 3)]),
    "stack": (lambda x: tf.stack(tf.unstack(x, axis=1), axis=0), [_floats(2, 3)]),
    "split": (lambda x: tf.split(x, [1, 2], 1), [_floats(2, 3)]),
    "tile": (lambda x: tf.tile(x, [2, 1]), [_floats(2, 3)]),
    "argmax": (lambda x: tf.argmax(x, 1), [_floats(2, 3)]),
    "cumsum": (lambda x: tf.cumsum(x, 1, reverse=True), [_floats(2, 3)]),
    "reverse": (lambda x: tf.reverse(x, [1]), [_floats(2, 3)]),
    "where": (lambda x: tf.where(x > 0.0), [_floats(2, 3)]),
    "select": (lambda x: tf.where(x > 0.0, x, -x * 2.0), [_floats(2, 3)]),
    "moments": (lambda x: tf.nn.moments(x, [0]), [_floats(4, 3)]),
    "floor_mod": (lambda x: x % 2.0, [_floats(2, 3)]),
    "floor_div": (lambda x: x // 3, [np.array([-7, 7, -6], "i4")]),
    "dynamic_shape": (lambda x: tf.reshape(x, [tf.shape(x)[0] * 3]), [_floats(2, 3)]),
    "lrn": (lambda x: tf.nn.lrn(x, 2), [_floats(1, 4, 5, 6)]),
    "space_to_depth": (lambda x: tf.space_to_depth(x, 2), [_floats(1, 4, 4, 2)]),
    "band": (lambda x: tf.matrix_band_part(x, 1, 0), [_floats(4, 4)]),
    **{
        f"reduce_{kind}": (
            lambda x, kind=kind: _reduced(kind)(x, [0, 2], keepdims=True),
            [_floats(2, 3, 4)],
        )
        for kind in ("sum", "mean", "max", "min", "prod", "logsumexp")
    },
    **{
        name: (function, [abs(_floats(2, 3))])
        for name, function in {
            "rsqrt": tf.rsqrt, "log1p": tf.log1p, "expm1": tf.expm1, "erfc": tf.erfc,
            "square": tf.square, "relu6": tf.nn.relu6, "leaky": tf.nn.leaky_relu,
            "l2": tf.nn.l2_loss, "normalized": lambda x: tf.nn.l2_normalize(x, 1),
            "atan2": lambda x: tf.atan2(x - 1.0, x - 0.5),
        }.items()
    },
}  # fmt: skip


def _signature(arrays, opened):
    shapes = [[None, *a.shape[1:]] if opened else a.shape for a in arrays]
    return [tf.TensorSpec(s, a.dtype) for s, a in zip(shapes, arrays, strict=True)]


@pytest.mark.parametrize("name", CASES)
def test_op(name, eager, tmp_path):
    function, arrays = CASES[name]
    closed = name in ("matmul", "stack", "space_to_depth")
    both_ways(function, arrays, tmp_path, _signature(arrays, not closed))


SLICES = {
    "ends": lambda x: x[1:3, :2],
    "step": lambda x: x[::2, 1::2],
    "back": lambda x: x[::-1, -1:0:-1],
    "shrink": lambda x: x[1, :, -1],
    "ellipsis": lambda x: x[..., 1],
    "new_axis": lambda x: x[:, tf.newaxis, 1:, ..., tf.newaxis],
    "all": lambda x: x[tf.newaxis, 1, ..., ::-1],
    "of_data": lambda x: x[: tf.shape(x)[0] - 1, tf.shape(x)[0] - 3],
}


@pytest.mark.parametrize("name", SLICES)
def test_strided_slice(name, eager, tmp_path):
    x = _floats(4, 5, 3)
    both_ways(SLICES[name], [x], tmp_path, _signature([x], True))
