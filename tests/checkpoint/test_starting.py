"""Variables that start with the values of a checkpoint."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager, graph
from twinflow.base.bundle import write_bundle

__all__ = ["eager", "graph"]


@pytest.fixture
def prefix(tmp_path):
    tensors = {"a": 1.0, "old/b": 2.0, "old/c": [3.0, 4.0]}
    write_bundle(
        str(tmp_path / "m"),
        [(k, np.array(v, np.float32), None) for k, v in sorted(tensors.items())],
    )
    return str(tmp_path / "m")


def started(*names):
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        known = {v.op.name: v for v in tf.global_variables()}
        return [sess.run(known[name]).tolist() for name in names]


@pytest.mark.parametrize("resource", [False, True])
def test_names_scopes_and_variables(graph, prefix, resource):
    with tf.variable_scope("new", use_resource=resource):
        tf.get_variable("b", [])
        tf.get_variable("c", [2])
    x = tf.get_variable("x", [], use_resource=resource)
    tf.get_variable("y", [], initializer=tf.ones_initializer())
    tf.train.init_from_checkpoint(prefix, {"a": x, "old/": "new/"})
    assert started("new/b", "new/c", "x", "y") == [2.0, [3.0, 4.0], 1.0, 1.0]


def test_warm_start(graph, prefix):
    tf.get_variable("a", [])
    tf.get_variable("k", [2])
    tf.get_variable("z", [], initializer=tf.zeros_initializer())
    tf.train.warm_start(prefix, "[ak]", var_name_to_prev_var_name={"k": "old/c"})
    assert started("a", "k", "z") == [1.0, [3.0, 4.0], 0.0]


@pytest.mark.parametrize("assignment_map, text", [
    ({"nope": "a"}, "Tensor nope is not found in .*checkpoint"),
    ({"old/c": "a"}, r"Shape of variable a \(\(\)\) doesn't match"),
    ({"a": "nope/"}, "should map to scope only a"),
    ({"old/": "nope/"}, "No variables are in the scope 'nope/'"),
    ({"/": "/"}, "Tensor z .* is not found"),
])  # fmt: skip
def test_what_does_not_fit_is_said(graph, prefix, assignment_map, text):
    tf.get_variable("a", [])
    tf.get_variable("z", [])
    with pytest.raises(ValueError, match=text):
        tf.train.init_from_checkpoint(prefix, assignment_map)
