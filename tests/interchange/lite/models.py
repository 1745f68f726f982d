"""Models of TensorFlow Lite made of functions, and what LiteRT gives for them."""

import numpy as np
import pytest

import twinflow as tf

LITERT = pytest.importorskip("ai_edge_litert.interpreter")


def run(model, arrays):
    """What LiteRT gives for the bytes of a model."""
    lite = LITERT.Interpreter(model_content=model)
    lite.allocate_tensors()
    for details, array in zip(lite.get_input_details(), arrays, strict=True):
        lite.set_tensor(details["index"], array)
    lite.invoke()
    return [lite.get_tensor(d["index"]) for d in lite.get_output_details()]


def items(model):
    """[(operator, shapes of its inputs)] of a model, as LiteRT reads them."""
    lite = LITERT.Interpreter(model_content=model)
    shapes = {d["index"]: tuple(d["shape"]) for d in lite.get_tensor_details()}
    return [
        (item["op_name"], [shapes[i] for i in item["inputs"] if i >= 0])
        for item in lite._get_ops_details()
    ]


def kinds(model):
    """The operators of a model that LiteRT has not joined itself."""
    return [kind for kind, _ in items(model) if kind != "DELEGATE"]


def written(call, arrays, **wishes):
    """(the model, our own results) of a function of placeholders like `arrays`."""
    with tf.Graph().as_default(), tf.Session() as session:
        tf.set_random_seed(1)
        xs = [
            tf.placeholder(a.dtype, [None, *a.shape[1:]], f"x{i}")
            for i, a in enumerate(arrays)
        ]
        ys = tf.contrib.framework.nest.flatten(call(*xs))
        session.run(tf.global_variables_initializer())
        want = session.run(ys, dict(zip(xs, arrays, strict=True)))
        converter = tf.lite.TFLiteConverter.from_session(session, xs, ys)
        for name, value in wishes.items():
            setattr(converter, name, value)
        return converter.convert(), want


def off(found, want):
    """By which part of the largest value results differ at most."""
    if found.shape != want.shape or found.dtype != want.dtype:
        return np.inf
    if not found.size:
        return 0.0
    found, want = (np.asarray(a, np.float64) for a in (found, want))
    return np.max(np.abs(found - want)) / max(np.max(np.abs(want)), 1e-30)
