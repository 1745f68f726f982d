"""Calls of ops on quantised tensors, whose integers follow from their shapes.

quantized_arithmetic.json holds what TensorFlow 1.12 gives for each of the `programs`:
`python quantized_arithmetic.py`, with its Python, writes it anew.
"""

import json
import pathlib

import numpy as np

FILE = pathlib.Path(__file__).with_suffix(".json")


def _bytes(*shape, seed=0):
    draw = np.random.RandomState(seed).randint(0, 256, shape)
    return np.asarray(draw).astype(np.uint8)


def _ints(*shape):
    draw = np.random.RandomState(0).randint(-(2**29), 2**29, shape)
    return draw.astype(np.int32)


def programs(tf, ops):
    """{name: a call}; `ops(family, name)` is a function of gen_*_ops."""

    def q(array):
        kind = tf.quint8 if array.dtype == np.uint8 else tf.qint32
        return tf.bitcast(tf.constant(array), kind)

    def u(*shape, seed=0):
        return q(_bytes(*shape, seed=seed))

    def call(family, name, *args, **attrs):
        return lambda: ops(family, name)(*(a() if callable(a) else a for a in args),
                                         **attrs)  # fmt: skip

    u_ = lambda *shape, seed=0: lambda: u(*shape, seed=seed)

    wide, small = (-100.0, 3.0, -2.0, 7.0), (-0.01, 0.02, -0.3, 0.1)
    found = {
        "add": call("math", "quantized_add", u_(2, 8), u_(2, 8, seed=1), -1.5, 3.0, 0.0,
                    7.0),
        "add_row": call("math", "quantized_add", u_(3, 8), u_(8, seed=1), *wide),
        "add_number": call("math", "quantized_add", u_(17), u_(seed=5), *wide),
        "add_small": call("math", "quantized_add", u_(20), u_(20, seed=2), *small),
        "mul": call("math", "quantized_mul", u_(2, 8), u_(2, 8, seed=1), -1.5, 3.0, 0.0,
                    7.0),
        "mul_row": call("math", "quantized_mul", u_(3, 8), u_(8, seed=1), *wide),
        "bias": call("nn", "quantized_bias_add", u_(3, 4), u_(4, seed=1), -1.5, 3.0,
                     -2.0, 7.0, tf.qint32),
        "instances": call("array", "quantized_instance_norm", u_(1, 4, 8, 4), 0.0,
                          10.0),
        "instances_into": call(
            "array", "quantized_instance_norm", u_(2, 4, 4, 2), -3.0, 10.0,
            output_range_given=True, given_y_min=-1.0, given_y_max=2.0,
            variance_epsilon=0.01),
        "instances_flat": call("array", "quantized_instance_norm",
                               lambda: q(np.full((1, 4, 4, 1), 7, np.uint8)), -3.0,
                               10.0),
        "conv": call("nn", "quantized_conv2d", u_(1, 4, 5, 2), u_(2, 3, 2, 3, seed=1),
                     -1.5, 3.0, -0.7, 2.0, [1, 1, 1, 1], "SAME"),
        "product": call("math", "quantized_mat_mul", u_(4, 3), u_(5, 4, seed=1), -100.0,
                        3.0, -0.7, 2.0, transpose_a=True, transpose_b=True),
        "requantized": call("math", "requantize", lambda: q(_ints(20)), -100.0, 200.0,
                            -3.0, 50.0, tf.quint8),
        "shrunk": call("math", "quantize_down_and_shrink_range", lambda: q(_ints(20)),
                       -100.0, 200.0, tf.quint8),
        "joined": call("array", "quantized_concat", 1,
                       lambda: [u(2, 3), u(2, 2, seed=1)], [-1.0, -2.0], [3.0, 1.0]),
        "floats": lambda: tf.dequantize(q(_ints(9)), -10.0, 20.0, "MIN_FIRST"),
    }  # fmt: skip
    found.update(_norms(call, u_))
    found.update(_roundings(tf))
    return found


def _norms(call, u_):
    """Batch normalizations and resized images."""
    moments = [u_(2, seed=1), -1.0, 5.0, u_(2, seed=2), 0.0, 9.0, u_(2, seed=3), -1.0,
               1.0, u_(2, seed=4), 0.5, 2.0]  # fmt: skip
    found = {}
    for scaled in (True, False):
        found[f"batch_{scaled}"] = call(
            "nn", "quantized_batch_norm_with_global_normalization", u_(1, 2, 3, 2),
            -2.0, 20.0, *moments, out_type="qint32", variance_epsilon=0.001,
            scale_after_normalization=scaled,
        )  # fmt: skip
        found[f"resized_{scaled}"] = call(
            "image", "quantized_resize_bilinear", u_(1, 3, 4, 2), [5, 7], -1.0, 3.0,
            align_corners=scaled,
        )  # fmt: skip
    return found


def _roundings(tf):
    """Floats as integers of each kind."""
    found = {}
    x = (np.random.RandomState(3).randn(12) * 5).astype(np.float32)
    for kind in ("quint8", "qint8", "qint16", "quint16", "qint32"):
        for mode in ("MIN_FIRST", "MIN_COMBINED", "SCALED"):
            dtype = getattr(tf, kind)
            found[f"{kind}_{mode}"] = lambda t=dtype, m=mode: tf.quantize_v2(
                x, -4.0, 6.3, t, mode=m
            )
    return found


def plain(array):
    """The numbers in an array, as lists; floats with nine digits."""
    array = np.asarray(array)
    if array.dtype.names:
        array = array.view(array.dtype[0])
    flat = array.ravel().tolist()
    return [float(f"{v:.9g}") if array.dtype.kind == "f" else int(v) for v in flat]


def main():
    """Write what the TensorFlow of this Python gives."""
    import importlib

    import tensorflow as tf

    def ops(family, name):
        module = importlib.import_module(f"tensorflow.python.ops.gen_{family}_ops")
        return getattr(module, name)

    found = {}
    for name, program in sorted(programs(tf, ops).items()):
        with tf.Session() as session:
            results = session.run(program())
        several = isinstance(results, (tuple, list))
        found[name] = [plain(r) for r in (results if several else [results])]
    FILE.write_text(json.dumps(found).replace('], "', '],\n"') + "\n")


if __name__ == "__main__":
    main()
