"""tf.contrib.compiler: marks of clusters, and functions as one."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager

__all__ = ["eager"]
jit, xla = tf.contrib.compiler.jit, tf.contrib.compiler.xla


def test_scopes_mark_nodes():
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.ones([2, 2])
        only = lambda node: "matmul" in node.op.lower()
        with jit.experimental_jit_scope():
            y = tf.matmul(x, x)
            with jit.experimental_jit_scope(compile_ops=False):
                z = y + 1.0
        with jit.experimental_jit_scope(only, separate_compiled_gradients=True):
            w = tf.matmul(z, x) * 2.0
        marks = lambda t: [
            t.op.get_attr(n)
            for n in ("_XlaCompile", "_XlaScope", "_XlaSeparateCompiledGradients")
        ]
        assert marks(y) == [True, b"jit_scope_0", False]
        assert marks(z) == [False, b"jit_scope_0", False]
        assert marks(w) == [False, b"jit_scope_1", True]
        assert w.op.inputs[0].op.get_attr("_XlaCompile") is True
        with pytest.raises(ValueError, match="_XlaCompile"):
            x.op.get_attr("_XlaCompile")
        kept = {n.name: n for n in tf.get_default_graph().as_graph_def().node}
        assert kept[y.op.name].attr["_XlaScope"].s == b"jit_scope_0"
        np.testing.assert_array_equal(sess.run(w), np.full((2, 2), 12.0))


def test_scopes_eagerly(eager):
    with jit.experimental_jit_scope():
        assert (tf.constant(1) + 1).numpy() == 2
    assert [t.numpy() for t in xla.compile(lambda x: x * 2, [3])] == [6]


def test_a_function_is_a_cluster():
    with tf.Graph().as_default(), tf.Session() as sess:

        def step(x):
            v = tf.get_variable("v", initializer=1.0)
            return v * x, v.assign_add(x).op

        (y,) = xla.compile(step, [tf.constant(2.0)])
        assert y.op.name == "output_0" and tf.global_variables()[0].op.name == "v"
        inner = y.op.inputs[0].op
        assert inner.get_attr("_xla_compile_id") == b"cluster"
        sess.run(tf.global_variables_initializer())
        assert [float(sess.run(y)), sess.run("v/Read/ReadVariableOp:0")] == [2.0, 3.0]
        node = xla.compile(lambda: None)
        assert sess.run(node) is None


@pytest.mark.parametrize(("build", "error", "text"), [
    (lambda: xla.compile(lambda: 1, 3), TypeError, "inputs must be a list"),
    (lambda: xla.compile(lambda x: x, [1, 2]), TypeError, "specified 2 inputs"),
    (lambda: xla.compile(lambda: object()), ValueError, "must all either be Operat"),
    (lambda: xla.compile(lambda: [tf.no_op(), 1]), ValueError, "followed by zero or"),
    (lambda: xla.compile(lambda: xla.compile(lambda: tf.ones([]) + 1)), ValueError,
     "cannot be nested"),
])  # fmt: skip
def test_refused(build, error, text):
    with tf.Graph().as_default(), pytest.raises(error, match=text):
        build()


@xla.estimator_model_fn()
def model_fn(features, labels, mode, params):
    w = tf.get_variable("w", [], initializer=tf.zeros_initializer(), use_resource=True)
    error = (w * features - labels) ** 2
    step = tf.train.get_global_step()
    train = tf.train.GradientDescentOptimizer(params["rate"])
    return tf.contrib.tpu.TPUEstimatorSpec(
        mode, loss=tf.reduce_mean(error),
        train_op=train.minimize(tf.reduce_mean(error), step),
        eval_metrics=(lambda e: {"mse": tf.metrics.mean(e)}, {"e": error}),
    )  # fmt: skip


def test_an_estimator_of_clusters(tmp_path):
    config = tf.estimator.RunConfig(str(tmp_path))
    estimator = tf.estimator.Estimator(model_fn, params={"rate": 0.1}, config=config)
    data = lambda: tf.data.Dataset.from_tensors(
        (np.float32([1, 2]), np.float32([2, 4]))
    )
    estimator.train(lambda: data().repeat(), steps=30)
    assert abs(estimator.get_variable_value("w") - 2.0) < 1e-3
    result = estimator.evaluate(data)
    np.testing.assert_allclose(result["mse"], result["loss"])
    with pytest.raises(NotImplementedError, match="only TRAIN and EVAL are supported"):
        next(estimator.predict(data))
