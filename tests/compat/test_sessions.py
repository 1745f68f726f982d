"""What TensorFlow's own tests of training take from below the public interface."""

import importlib
import types
from unittest import mock

import pytest

import twinflow as tf
from twinflow.base import errors, logging
from twinflow.checkpoint import saver
from twinflow.compat.door import finder


@pytest.fixture
def load():
    """A function that imports a module below `tensorflow.python`."""
    finder.open_door()
    yield lambda path: importlib.import_module(f"tensorflow.python.{path}")
    finder.close_door()


class Counting(tf.train.SessionRunHook):
    """Counts runs, and stops after three."""

    count = 0

    def after_run(self, run_context, run_values):
        self.count += 1
        if self.count == 3:
            run_context.request_stop()


def test_a_session_with_hooks(load):
    monitored, hook = load("training.monitored_session"), Counting()
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        hooked = monitored._HookedSession(sess, [hook])
        assert (hooked.graph, hooked.sess_str) == (graph, sess.sess_str)
        one, stops = tf.constant(1), []
        for _ in range(3):
            assert hooked.run(one) == 1
            stops.append(hooked.should_stop())
        assert stops == [False, False, True]
        with pytest.raises(RuntimeError, match="after should_stop"):
            hooked.run(one)
        hooked._should_stop = False
        assert monitored._WrappedSession(hooked).should_stop() is False
        hooked.close()
        assert hooked.should_stop()


def test_a_session_that_is_made_anew(load):
    monitored, lost = load("training.monitored_session"), []

    class Creator:
        def create_session(self):
            lost.append(None)
            return tf.Session()

    def once():
        if len(lost) < 2:
            raise errors.AbortedError(None, None, "lost")
        return 7

    with tf.Graph().as_default():
        session = monitored._RecoverableSession(Creator())
        with mock.patch.object(tf.Session, "run", lambda self, x: x()):
            assert session.run(once) == 7
        assert len(lost) == 2
        coordinator = tf.train.Coordinator()
        coordinated = monitored._CoordinatedSession(session, coordinator)
        coordinator.request_stop()
        assert coordinated.should_stop()
        coordinated.close()
        assert coordinated.should_stop() and session.should_stop()


def test_what_is_patched_is_seen_by_twinflow(load):
    module, warning = load("platform.tf_logging"), logging.warning
    for _ in range(2):
        with mock.patch.object(module, "warning") as patched:
            logging.warning("of twinflow")
        patched.assert_called_once_with("of twinflow")
        assert (logging.warning, module.warning) == (warning, warning)
    with mock.patch.object(load("training.saver"), "time") as patched:
        assert saver.time is patched
    assert saver.time is not patched


def test_steps_of_the_global_step(load):
    module = load("training.training_util")
    with tf.Graph().as_default(), tf.Session() as sess:
        with pytest.raises(ValueError, match="should be created by"):
            module._increment_global_step(1)
        tf.train.get_or_create_global_step()
        add, read = module._increment_global_step(2), None
        read = module._get_or_create_global_step_read()
        sess.run(tf.global_variables_initializer())
        assert sess.run([read, add]) == [0, 2]
        assert sess.run([read, add]) == [2, 4]


def test_namesakes_come_from_the_module_that_is_taken_over(load):
    assert load("ops.metrics").mean_squared_error is tf.metrics.mean_squared_error
    found = load("ops.losses.losses").mean_squared_error
    assert found is tf.losses.mean_squared_error
    assert load("data.experimental").unique is not tf.unique


def test_what_files_import_are_modules(load):
    """A function of the module's name is not what `from ... import name` gave them."""
    for path, name, inner in (
        ("training.optimizer", "variables", "trainable_variables"),
        ("training.optimizer", "variable_scope", "get_variable"),
        ("training.moving_averages", "variable_scope", "variable_scope"),
        ("estimator.estimator_lib", "export", "ServingInputReceiver"),
    ):
        found = getattr(load(path), name)
        assert isinstance(found, types.ModuleType) and hasattr(found, inner)


def test_assets_of_plugins(load):
    module = load("summary.plugin_asset")

    class Asset(module.PluginAsset):
        plugin_name = "words"

    with tf.Graph().as_default():
        asset = module.get_plugin_asset(Asset)
        assert asset is module.get_plugin_asset(Asset)
        assert module.get_all_plugin_assets() == [asset]
        with pytest.raises(TypeError, match="must define"):
            asset.assets()
        other = type("Other", (module.PluginAsset,), {"plugin_name": "words"})
        with pytest.raises(TypeError, match="has an asset of Asset already"):
            module.get_plugin_asset(other)
        with pytest.raises(ValueError, match="no plugin_name"):
            module.get_plugin_asset(module.PluginAsset)


def test_fetched_rows_are_of_the_class_of_ops(load):
    ops = load("framework.ops")
    with tf.Graph().as_default(), tf.Session() as sess:
        found = sess.run(tf.IndexedSlices(tf.constant([[1.0]]), tf.constant([0])))
    assert isinstance(found, ops.IndexedSlicesValue)


def test_an_assignment_outside_the_graph_of_the_variable(load):
    with tf.Graph().as_default() as graph:
        v = tf.get_variable("v", [], use_resource=True)
    with tf.Graph().as_default():
        assert v.assign(2.0).op.graph is graph


def test_the_store_makes_variables_eagerly(load):
    scope = load("ops.variable_scope")
    with load("eager.context").eager_mode():
        made = scope._get_default_variable_store().get_variable("v", [1])
        assert made.shape == [1]
