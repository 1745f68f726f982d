"""Variables that start with the values of a checkpoint."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager, graph
from twinflow.formats.checkpoint_v2 import write_bundle

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
    ({"old/c": "a"}, r"Shape of variable a:0 \(\(\)\) doesn't match"),
    ({"a": "nope/"}, "should map to scope only a"),
    ({"/": "/"}, "Tensor z .* is not found"),
])  # fmt: skip
def test_what_does_not_fit_is_said(graph, prefix, assignment_map, text):
    tf.get_variable("a", [])
    tf.get_variable("z", [])
    with pytest.raises(ValueError, match=text):
        tf.train.init_from_checkpoint(prefix, assignment_map)


def test_a_scope_without_variables_is_said_and_let_be(graph, prefix, caplog, capsys):
    """TensorFlow 1.12 says nothing, and goes on."""
    a = tf.get_variable("a", initializer=7.0)
    tf.train.init_from_checkpoint(prefix, {"old/": "nope/"})
    assert "No variables are in the scope 'nope/'" in (
        caplog.text + capsys.readouterr().err
    )
    with tf.Session() as sess:
        sess.run(a.initializer)
        assert sess.run(a) == 7


def test_scopes_are_those_of_the_graph_also_inside_a_scope(graph, prefix):
    """As in TensorFlow; a scope inside the current one is found too."""
    tf.get_variable("other/b", [])
    with tf.variable_scope("net"):
        tf.get_variable("mine/b", [])
        tf.train.init_from_checkpoint(prefix, {"old/": "other/"})
        tf.train.init_from_checkpoint(prefix, {"old/": "mine/"})
    assert started("other/b", "net/mine/b") == [2.0, 2.0]


def test_parts_of_a_variable_start_with_their_rows(tmp_path):
    with tf.Graph().as_default(), tf.Session() as session:
        tf.get_variable("v", initializer=[[1.0], [2.0], [3.0]])
        session.run(tf.global_variables_initializer())
        saved = tf.train.Saver().save(session, str(tmp_path / "ck"))
    for how in "v", ["v"]:
        with tf.Graph().as_default(), tf.Session() as session:
            cut = tf.fixed_size_partitioner(2)
            parts = tf.get_variable("v", [3, 1], partitioner=cut)
            tf.train.warm_start(saved, how)
            session.run(tf.global_variables_initializer())
            assert [x.ravel().tolist() for x in session.run(list(parts))] == [
                [1.0, 2.0],
                [3.0],
            ]
