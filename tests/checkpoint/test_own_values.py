"""What objects save of themselves, and what is found again of it."""

import json

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph

__all__ = ["eager"]
kit = tf.contrib.checkpoint


class Counter(kit.PythonStateWrapper):
    """A number that is saved as a string."""

    def __init__(self, count):
        self.count = count

    def _serialize(self):
        return str(self.count)

    def _deserialize(self, string_value):
        self.count = int(string_value)


def halves(v):
    """The parts of a variable with two keys."""

    def fill(found):
        found.update(first=v[:1], second=v[1:])

    def take(found):
        return v.assign(tf.concat([found["first"], found["second"]], 0))

    kinds = (tf.float32, tf.float32)
    return kit.split_dependency(("first", "second"), kinds, fill, take)


def test_states_of_python_objects_and_arrays_come_back(tmp_path, eager):
    arrays, counter = kit.NumpyState(), Counter(3)
    arrays.x = np.ones([2])
    saved = tf.train.Checkpoint(a=arrays, c=counter).save(str(tmp_path / "ck"))
    reader = tf.train.NewCheckpointReader(saved)
    assert reader.get_tensor("c/.ATTRIBUTES/py_state") == b"3"
    assert reader.get_tensor("a/x/.ATTRIBUTES/py_state").startswith(b"\x93NUMPY")
    arrays.x[0], counter.count = 7.0, 4
    fresh = kit.NumpyState()
    tf.train.Checkpoint(a=arrays, c=counter).restore(saved).assert_consumed()
    tf.train.Checkpoint(a=fresh).restore(saved)
    assert arrays.x.tolist() == fresh.x.tolist() == [1.0, 1.0] and counter.count == 3
    with pytest.raises(NotImplementedError, match="which is not a NumPy array"):
        arrays.y = 3


def test_a_value_in_two_keys_comes_back_eagerly(tmp_path, eager):
    v = tf.Variable([1.0, 2.0])
    root = tf.train.Checkpoint(**halves(v))
    saved = root.save(str(tmp_path / "ck"))
    v.assign([0.0, 0.0])
    root.restore(saved).assert_consumed()
    assert v.numpy().tolist() == [1.0, 2.0]


def test_a_value_in_two_keys_comes_back_in_a_session(tmp_path):
    with Graph().as_default() as graph, Session() as session:
        v = tf.get_variable("v", initializer=[1.0, 2.0], use_resource=True)
        root = tf.train.Checkpoint(**halves(v))
        session.run(v.initializer)
        saved = root.save(str(tmp_path / "ck"))
        for _ in range(2):
            session.run(v.assign([0.0, 0.0]))
            root.restore(saved).assert_consumed().run_restore_ops()
            assert session.run(v).tolist() == [1.0, 2.0]
        graph.finalize()  # later saves and restorations add nothing
        root.save(str(tmp_path / "ck"))
        root.restore(saved).run_restore_ops()


def test_layers_save_their_settings(tmp_path, eager):
    root = tf.train.Checkpoint(d=tf.keras.layers.Dense(3, activation="relu"))
    reader = tf.train.NewCheckpointReader(root.save(str(tmp_path / "ck")))
    found = json.loads(reader.get_tensor("d/.ATTRIBUTES/OBJECT_CONFIG_JSON"))
    assert found["class_name"] == "Dense"
    assert (found["config"]["units"], found["config"]["activation"]) == (3, "relu")


def test_slots_come_back_before_the_first_step(tmp_path, eager):
    v, optimizer = tf.Variable(1.0), tf.train.MomentumOptimizer(0.1, 0.9)
    optimizer.minimize(lambda: v * v)
    saved = tf.train.Checkpoint(v=v, o=optimizer).save(str(tmp_path / "ck"))
    w, other = tf.Variable(0.0), tf.train.MomentumOptimizer(0.1, 0.9)
    tf.train.Checkpoint(v=w, o=other).restore(saved).assert_consumed()
    assert other.get_slot(w, "momentum").numpy() == 2.0


def test_the_last_restoration_wins(tmp_path, eager):
    v = tf.Variable(1.0)
    first = tf.train.Checkpoint(v=v).write(str(tmp_path / "a"))
    v.assign(2.0)
    second = tf.train.Checkpoint(v=v).write(str(tmp_path / "b"))
    early, late = tf.train.Checkpoint(), tf.train.Checkpoint()
    early.restore(first)
    late.restore(second)
    w = tf.Variable(0.0)
    late.v = w
    early.v = w
    assert w.numpy() == 2.0


def test_parts_of_templates(tmp_path, eager):
    def inner():
        return tf.get_variable("v", [1], initializer=tf.zeros_initializer())

    def outer():
        return tf.make_template("inside", inner)()

    root = tf.train.Checkpoint(t=tf.make_template("one", outer))
    root.t().assign([5.0])
    saved = root.save(str(tmp_path / "ck"))
    assert "t/inside/v/.ATTRIBUTES/VARIABLE_VALUE" in dict(
        tf.train.list_variables(saved)
    )
    other = tf.train.Checkpoint(t=tf.make_template("two", outer))
    status = other.restore(saved)
    assert other.t().numpy() == [5.0]
    status.assert_consumed()


def test_a_checkpoint_is_drawn(tmp_path, eager):
    root = tf.train.Checkpoint(v=tf.Variable([1.0], name="x"))
    drawn = kit.dot_graph_from_checkpoint(root.write(str(tmp_path / "ck")))
    assert drawn == (
        'digraph {\nN_0 [shape=point label="" width=.25]\nN_0 -> N_1 [label="v"]\n'
        'N_1 [shape=point label="" color=blue width=.25 '
        'tooltip="Variable x shape=[1] float32"]\n}\n'
    )
