"""Control flow in eager mode names what is made inside as graphs do."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager

ONE = np.ones(1, np.float32)
NAMED = {
    "cond": (lambda f: tf.cond(tf.constant(True), f, f), "a/cond/v:0"),
    "named": (lambda f: tf.cond(tf.constant(True), f, f, name="n"), "a/n/v:0"),
    "case": (lambda f: tf.case([(tf.constant(True), f)], f), "a/case/cond/v:0"),
    "while": (
        lambda f: tf.while_loop(lambda i: i < 1.0, lambda i: i + f(), [0.0]),
        "a/while/v:0",
    ),
    "map_fn": (lambda f: tf.map_fn(lambda x: f(), ONE), "a/map/while/v:0"),
}


@pytest.mark.parametrize("construct", NAMED)
def test_what_is_made_inside_is_named_by_the_construct(construct):
    run, expected = NAMED[construct]
    seen = []

    def inside():
        seen.append(tf.contrib.eager.Variable(1.0, name="v").name)
        return tf.constant(1.0)

    with eager(), tf.name_scope("a"):
        run(inside)
    assert seen == [expected]
