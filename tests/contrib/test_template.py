"""tfe.make_template: variables of the first call, also when that is traced."""

import pytest

import twinflow as tf
from tests.modes import both

tfe = tf.contrib.eager


@pytest.mark.parametrize("traced", [False, True])
@both
def test_variables_are_shared(run, traced):
    calls = []

    def body(x, factor):
        calls.append(tf.executing_eagerly())
        return x * factor * tf.get_variable("w", initializer=3.0)

    def build():
        template = tfe.make_template(
            "scaled", body, create_graph_function_=traced, factor=2.0
        )
        first, second = template(tf.constant(1.0)), template(tf.constant(5.0))
        (w,) = template.trainable_variables
        assert w.name.startswith("scaled") and w.name.endswith("/w:0")
        return first, second, w

    assert [float(x) for x in run(build)] == [6.0, 30.0, 3.0]
    assert len(calls) == (1 if traced else 2) and not (traced and calls[0])
