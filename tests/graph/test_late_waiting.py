"""Nodes that are told to wait for nodes that were made after them."""

import pytest

import twinflow as tf
from tests.modes import graph

__all__ = ["graph"]


@pytest.mark.parametrize("resource", [False, True])
def test_a_node_waits_for_what_was_made_later(graph, resource):
    v = tf.get_variable("v", initializer=1.0, use_resource=resource)
    add = v.assign_add(10.0).op
    read = v.read_value() * 2.0
    last = v.read_value() + 0.0
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert sess.run([read, add])[0] == 22  # in the order of creation
        add._add_control_input(read.op)
        sess.run(v.initializer)
        assert sess.run([last, read, add])[:2] == [11, 2]
        assert sess.run(v) == 11


def test_all_that_is_waited_for_comes_along(graph):
    v = tf.get_variable("v", initializer=1.0)
    first = v.assign(5.0).op
    late = tf.group(v.assign_add(1.0).op, v.assign_add(1.0).op)
    first._add_control_input(late)
    with tf.Session() as sess:
        sess.run(v.initializer)
        sess.run(first)
        assert sess.run(v) == 5  # the additions came before


def test_nodes_that_wait_for_each_other_are_refused(graph):
    v = tf.get_variable("v", initializer=1.0)
    a, b = v.assign_add(1.0).op, v.assign_add(1.0).op
    a._add_control_input(b)
    b._add_control_input(a)
    with tf.Session() as sess:
        sess.run(v.initializer)
        with pytest.raises(tf.errors.InvalidArgumentError, match="cycle with 2 nodes"):
            sess.run([a, b])
