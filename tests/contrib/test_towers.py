"""tf.contrib.estimator.replicate_model_fn: towers give what one model gives."""

import numpy as np
import pytest

import twinflow as tf

_DEVICES = ["/cpu:0", "/cpu:0"]
_X = np.array([[1.0], [2.0]])


def _model(wrapped=True, adam=False):
    def model_fn(features, labels, mode):
        c = tf.get_variable("c", initializer=np.float64(10), dtype=tf.float64)
        rows = tf.get_variable("e", initializer=np.zeros((5, 1)), dtype=tf.float64)
        predictions = features * c + tf.gather(rows, [1])
        loss = tf.reduce_sum(tf.square(labels - predictions))
        kind = tf.train.AdamOptimizer if adam else tf.train.GradientDescentOptimizer
        optimizer = kind(0.1)
        if wrapped:
            optimizer = tf.contrib.estimator.TowerOptimizer(lambda: kind(0.1))
        step = tf.train.get_or_create_global_step()
        return tf.estimator.EstimatorSpec(
            mode, {"p": predictions}, loss, optimizer.minimize(loss, step),
            {"mean": tf.metrics.mean(predictions)},
        )  # fmt: skip

    return model_fn


def _spec(mode, reduction=tf.losses.Reduction.SUM, devices=_DEVICES, **options):
    towers = tf.contrib.estimator.replicate_model_fn(
        _model(**options), reduction, devices
    )
    return towers(tf.constant(_X), tf.constant(_X), mode)


@pytest.mark.parametrize("adam", [False, True])
def test_two_towers_train_as_one_model(adam):
    found = []
    for devices in ["/cpu:0"], _DEVICES:
        with tf.Graph().as_default(), tf.Session() as session:
            spec = _spec("train", devices=devices, adam=adam)
            session.run(tf.global_variables_initializer())
            losses = [session.run([spec.train_op, spec.loss])[1] for _ in range(3)]
            values = session.run(tf.trainable_variables())
            names = [v.name for v in tf.global_variables()]
            assert not tf.get_collection("replicate_model_fn_graph_states")
        found.append((losses, values, names))
    one, two = found
    np.testing.assert_allclose(one[0], two[0])
    for a, b in zip(one[1], two[1], strict=True):
        np.testing.assert_allclose(a, b)
    assert sorted(one[2]) == sorted(two[2])


def test_names_and_parts_are_those_of_tensorflow():
    with tf.Graph().as_default(), tf.Session() as session:
        spec = _spec("train", tf.losses.Reduction.MEAN)
        assert (spec.loss.name, spec.predictions["p"].name) == (
            "loss:0", "tower_1/add:0",
        )  # fmt: skip
        assert spec.train_op.name == "GradientDescent"
        session.run(tf.global_variables_initializer())
        assert session.run(spec.loss) == (9.0**2 + 18.0**2) / 2
    with tf.Graph().as_default(), tf.Session() as session:
        spec = _spec("infer")
        session.run(tf.global_variables_initializer())
        assert spec.predictions["p"].name == "p:0"
        np.testing.assert_array_equal(session.run(spec.predictions["p"]), 10 * _X)
    with tf.Graph().as_default(), tf.Session() as session:
        spec = _spec("eval")
        value, update = spec.eval_metric_ops["mean"]
        session.run([tf.global_variables_initializer(),
                     tf.local_variables_initializer()])  # fmt: skip
        for _ in range(2):
            session.run(update)
        assert session.run([value, spec.loss]) == [15.0, 405.0]


def test_what_it_refuses():
    replicate = tf.contrib.estimator.replicate_model_fn
    with pytest.raises(ValueError, match="yet none reduction is specified"):
        replicate(_model(), tf.losses.Reduction.NONE)
    with tf.Graph().as_default(), pytest.raises(ValueError, match="wrap optimizers"):
        _spec("train", wrapped=False)
    with tf.Graph().as_default(), pytest.raises(
        ValueError, match="Batch size 2 needs to be divisible by the number of GPUs"
    ):  # fmt: skip
        _spec("train", devices=["/cpu:0"] * 3)
