"""The places of input pipelines in checkpoints: with the model, or beside it."""

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from twinflow.base import dtypes, logging, stores
from twinflow.checkpoint.saveable import SaveableObject, SaveSpec
from twinflow.checkpoint.saver import Saver
from twinflow.checkpoint.state import checkpoint_exists, latest_checkpoint
from twinflow.data.iterators import saving
from twinflow.data.iterators.handles import GLOBAL_ITERATORS, EagerIterator
from twinflow.eager.tensor import wrap
from twinflow.ops.variables.collections import get_collection
from twinflow.train.saving_hooks import CheckpointSaverHook
from twinflow.train.session_run_hook import SessionRunHook

if TYPE_CHECKING:
    from twinflow.train.session_run_hook import SessionRunArgs

_PREFIX = "input"


class IteratorSaveable(SaveableObject):
    """An iterator of a graph, by its handle."""

    def __init__(self, handle):
        spec = SaveSpec(saving.state_of(handle), "", handle.name + "-state")
        super().__init__(handle, [spec], handle.name)

    def restore(self, restored_tensors, restored_shapes):
        """The op that puts the iterator where it was."""
        (state,) = restored_tensors
        return saving.resume(self.op, state)


class EagerSaveable(SaveableObject):
    """An iterator of eager mode."""

    def __init__(self, iterator):
        state = lambda: wrap(iterator._checkpoint_value(), dtypes.string)
        spec = SaveSpec(state, "", "Iterator-state", dtypes.string)
        super().__init__(iterator, [spec], "Iterator")

    def restore(self, restored_tensors, restored_shapes):
        """Put the iterator where it was."""
        (state,) = restored_tensors
        self.op._set_checkpoint_value(np.asarray(state._a, object))


def make_saveable_from_iterator(iterator: Any) -> Any:
    """What a Saver saves of an iterator: which elements were taken.

    Restored, the iterator gives those that were still to come: what waits in the
    buffers of shuffles, caches and prefetching is saved with it, functions of maps are
    not run again for what was passed. `Dataset.from_generator` calls its generator
    again and leaves out as many elements as were taken (TensorFlow 1.12 refuses it).
    Draws of random ops without a seed of their own are not part of it.

    Args:
        iterator: an Iterator; each session has its own place.
    Returns:
        A SaveableObject.
    Raises:
        TypeError: it is no iterator. When restoring, InvalidArgumentError: the state is
            one of another pipeline.
    Example:
        iterator = tf.data.Dataset.range(3).make_initializable_iterator()
        saveable = tf.data.experimental.make_saveable_from_iterator(iterator)
        tf.add_to_collection(tf.GraphKeys.SAVEABLE_OBJECTS, saveable)
        sess = tf.Session()
        sess.run(iterator.initializer)
        path = tf.train.Saver().save(sess, "./model")
    """
    if isinstance(iterator, EagerIterator):
        return EagerSaveable(iterator)
    handle = getattr(iterator, "_iterator_resource", None)
    if handle is None:
        raise TypeError(
            f"Expected an iterator over a dataset, got {iterator!r}. Pass what "
            "dataset.make_initializable_iterator() or make_one_shot_iterator() gives."
        )
    return IteratorSaveable(handle)


class _InputSaver(Saver):
    """A Saver whose file `checkpoint` has another name, without MetaGraphs."""

    def __init__(self, saveables, state_file):
        super().__init__(saveables)
        self._state_file = state_file

    def save(self, sess, save_path, global_step=None, **_):
        return super().save(
            sess, save_path, global_step, self._state_file, write_meta_graph=False
        )


def _prefix_of(config):
    """What the files begin with: of several workers each has its own."""
    if getattr(config, "num_worker_replicas", 1) > 1:
        return f"{_PREFIX}_{config.task_type}_{config.task_id}"
    return _PREFIX


class CheckpointInputPipelineHook(SessionRunHook):
    """Saves where the iterators of a training are, whenever its model is saved.

    Training that was stopped, or killed, and starts again goes on with the next batch.
    The files are model_dir/input.ckpt-<step>, and of each of several workers
    input_<type>_<number>.ckpt-<step>; `evaluate` does not need the hook.

    Args:
        estimator: the Estimator that is trained.
    Raises:
        ValueError (in `begin`): the graph has no iterator.
    Example:
        def model_fn(features, labels, mode):
            train_op = tf.assign_add(tf.train.get_or_create_global_step(), 1)
            return tf.estimator.EstimatorSpec(mode, loss=features, train_op=train_op)
        estimator = tf.estimator.Estimator(model_fn, "./model")
        hook = tf.data.experimental.CheckpointInputPipelineHook(estimator)
        input_fn = lambda: tf.data.Dataset.from_tensors((1.0, 2.0)).repeat()
        estimator.train(input_fn, hooks=[hook], max_steps=5)
    """

    def __init__(self, estimator: Any) -> None:
        config = estimator.config
        self._folder, self._prefix = estimator.model_dir, _prefix_of(config)
        self._state_file = f"checkpoint_{self._prefix}"
        # No base: given a CheckpointSaverHook, an Estimator makes none of its own.
        self._hook = CheckpointSaverHook(
            self._folder, config.save_checkpoints_secs, config.save_checkpoints_steps,
            checkpoint_basename=f"{self._prefix}.ckpt",
        )  # fmt: skip
        self._started = False

    def begin(self) -> None:
        handles = get_collection(GLOBAL_ITERATORS)
        if not handles:
            raise ValueError(
                "CheckpointInputPipelineHook found no iterator to save. Give batches "
                "from a tf.data.Dataset in the input function."
            )
        saveables = [IteratorSaveable(h) for h in handles]
        self._hook._saver = _InputSaver(saveables, self._state_file)
        self._hook.begin()
        self._started = False

    def before_run(self, run_context: Any) -> "SessionRunArgs":
        if not self._started:  # now the other hooks have initialised the iterators
            self._started = True
            self._start(run_context.session)
        return self._hook.before_run(run_context)

    def _path(self, step):
        return os.path.join(self._folder, f"{self._prefix}.ckpt-{step}")

    def _start(self, session):
        """Restore what was saved with the model, or save the beginning."""
        step = int(session.run(self._hook._step))
        found = self._path(step)
        if not checkpoint_exists(found):
            found = latest_checkpoint(self._folder, self._state_file)
            if found:
                logging.warning(
                    "The input pipeline was not saved at step %d; it goes on from %s.",
                    step, found,
                )  # fmt: skip
        if found:
            self._hook._saver.restore(session, found)
        else:
            self._hook._save(session, step)
        self._hook._timer.update_last_triggered_step(step)
        self._noted = self._model_saved()

    def _model_saved(self):
        """When the model was saved last."""
        try:
            return stores.version(os.path.join(self._folder, "checkpoint"))
        except FileNotFoundError:
            return None

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self._hook.after_run(run_context, run_values)
        saved = self._model_saved()
        if saved != self._noted:  # by another clock: the two have to fit
            self._noted = saved
            step = int(run_context.session.run(self._hook._step))
            if not checkpoint_exists(self._path(step)):
                self._hook._save(run_context.session, step)

    def end(self, session: Any) -> None:
        self._hook.end(session)
