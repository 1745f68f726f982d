"""Training and evaluating graphs that are there, of tf.contrib.learn."""

from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any

import numpy as np

from twinflow.base import logging
from twinflow.base.advice import advised
from twinflow.base.errors import OutOfRangeError
from twinflow.checkpoint.saver import Saver
from twinflow.contrib.learn.monitor_base import RunHookAdapterForMonitors
from twinflow.execute.session import Session
from twinflow.formats.protos import Summary
from twinflow.graph.defaults import get_default_graph
from twinflow.ops.tables.initialized import tables_initializer
from twinflow.ops.variables.collections import (
    global_variables,
    global_variables_initializer,
    local_variables_initializer,
)
from twinflow.summary.writer import FileWriterCache
from twinflow.train.basic_session_run_hooks import NanLossDuringTrainingError
from twinflow.train.coordinator import Coordinator
from twinflow.train.queue_runner import start_queue_runners
from twinflow.train.supervisor import Supervisor
from twinflow.train.training_util import assert_global_step, get_global_step


def clear_summary_writers() -> None:
    """Close the writers that were kept."""
    FileWriterCache.clear()


def get_summary_writer(logdir: str) -> Any:
    """The FileWriter of a folder, the same each time."""
    return FileWriterCache.get(logdir)


def train(
    graph: Any, output_dir: Any, train_op: Any, loss_op: Any,
    global_step_tensor: Any = None, init_op: Any = None, init_feed_dict: Any = None,
    init_fn: Any = None, log_every_steps: int = 10, supervisor_is_chief: bool = True,
    supervisor_master: str = "", supervisor_save_model_secs: int = 600,
    keep_checkpoint_max: int = 5, supervisor_save_summaries_steps: int = 100,
    feed_fn: Any = None, steps: Any = None, fail_on_nan_loss: bool = True,
    monitors: Any = None, max_steps: Any = None,
) -> Any:  # fmt: skip
    """Run a step of training until it is enough.

    Args:
        graph: the Graph. output_dir: of checkpoints and summaries.
        train_op, loss_op: what is run. global_step_tensor: the graph's by default.
        init_op, init_feed_dict, init_fn: start the variables, see Supervisor.
        log_every_steps: how often the loss is logged.
        supervisor_is_chief, supervisor_master, supervisor_save_model_secs,
        keep_checkpoint_max, supervisor_save_summaries_steps: see Supervisor.
        feed_fn: gives the feed of each step. steps: how many more. max_steps: in all.
        fail_on_nan_loss: raise where the loss is NaN. monitors: what looks on.
    Returns:
        The last loss.
    Raises:
        ValueError: something is missing, or both numbers are given.
        NanLossDuringTrainingError: the loss is NaN.
    """
    if steps is not None and max_steps is not None:
        raise ValueError("Can not provide both steps and max_steps.")
    if not output_dir:
        raise ValueError(f"Output directory should be non-empty {output_dir}.")
    if train_op is None:
        raise advised(ValueError, "Missing train_op.")
    if loss_op is None:
        raise advised(ValueError, "Missing loss_op.")
    with graph.as_default():
        step_tensor = global_step_tensor
        if step_tensor is None:
            step_tensor = get_global_step()
        if step_tensor is None:
            raise ValueError('No "global_step" was provided or created.')
        assert_global_step(step_tensor)
        options = {} if init_op is None else {"init_op": init_op}
        supervisor = Supervisor(
            graph, init_feed_dict=init_feed_dict, is_chief=supervisor_is_chief,
            logdir=output_dir, saver=Saver(max_to_keep=keep_checkpoint_max),
            global_step=step_tensor, summary_op=None, init_fn=init_fn,
            save_model_secs=supervisor_save_model_secs, **options,
        )  # fmt: skip
        hook = RunHookAdapterForMonitors(monitors or [])
        with supervisor.managed_session(supervisor_master) as session:
            return _steps(
                session, supervisor, hook, step_tensor, train_op, loss_op, steps,
                max_steps, feed_fn, log_every_steps, fail_on_nan_loss, output_dir,
            )  # fmt: skip


def _steps(
    session, supervisor, hook, step_tensor, train_op, loss_op, steps, max_steps,
    feed_fn, log_every_steps, fail_on_nan_loss, output_dir,
):  # fmt: skip
    step, loss = int(session.run(step_tensor)), None
    last = step + steps if steps is not None else max_steps
    watching = _Watching(session, hook)
    try:
        while not supervisor.should_stop() and (last is None or step < last):
            feed = feed_fn() if feed_fn is not None else None
            _, loss, step = watching.run([train_op, loss_op, step_tensor], feed)
            step = int(step)
            if np.isnan(loss):
                logging.warning("Model diverged with loss = NaN.")
                if fail_on_nan_loss:
                    raise NanLossDuringTrainingError()
            if log_every_steps and step % log_every_steps == 0:
                logging.info("loss = %s, step = %d", loss, step)
            if watching.stopped:
                break
    except (OutOfRangeError, StopIteration) as error:
        logging.warning("Input is done: %s", error)
    finally:
        hook.end(session)
        supervisor.coord.request_stop()  # its threads save too: not after the last one
        supervisor.coord.join(stop_grace_period_secs=60, ignore_live_threads=True)
        if supervisor.is_chief:
            supervisor.saver.save(session, supervisor.save_path, global_step=step)
            writer = get_summary_writer(output_dir)
            writer.add_graph(session.graph)
            writer.flush()
    return loss


class _Watching:
    """Runs steps beside which a hook's tensors are fetched."""

    def __init__(self, session: Any, hook: Any) -> None:
        self._session, self._hook, self.stopped = session, hook, False
        hook.begin()

    def run(self, fetches: list, feed: Any) -> Any:
        context = _Context(self._session, fetches)
        more = self._hook.before_run(context)
        wanted = more.fetches if more is not None else {}
        found, extra = self._session.run([fetches, wanted or {}], feed)
        self._hook.after_run(context, _Values(extra))
        self.stopped = context.stop_requested
        return found


class _Context:
    """What a hook sees of a step."""

    def __init__(self, session: Any, fetches: list) -> None:
        self.session, self.original_args = session, fetches
        self.stop_requested = False

    def request_stop(self) -> None:
        self.stop_requested = True


class _Values:
    """What a hook gets of a step."""

    def __init__(self, results: Any) -> None:
        self.results = results


def _started(restore_checkpoint_path: Any) -> Any:
    """A session with the values of a checkpoint, or with first ones."""
    session = Session()
    if restore_checkpoint_path:
        Saver(global_variables()).restore(session, restore_checkpoint_path)
    else:
        session.run(global_variables_initializer())
    session.run(local_variables_initializer())
    session.run(tables_initializer())
    return session


def evaluate(
    graph: Any, output_dir: Any, checkpoint_path: Any, eval_dict: dict[Any, Any],
    update_op: Any = None, global_step_tensor: Any = None, supervisor_master: str = "",
    log_every_steps: int = 10, feed_fn: Any = None, max_steps: Any = None,
) -> tuple[Any, ...]:  # fmt: skip
    """Run what measures a model, over all of the input or so many steps.

    Args:
        graph: the Graph. output_dir: of the summary. checkpoint_path: the values.
        eval_dict: {name: tensor}, taken once, at the end.
        update_op: run in each step. global_step_tensor: the graph's by default.
        supervisor_master: accepted. log_every_steps: how often a line is logged.
        feed_fn: gives the feed of each step. max_steps: how many steps at most.
    Returns:
        {name: value}, and the global step.
    """
    del supervisor_master
    with graph.as_default():
        step_tensor = global_step_tensor
        if step_tensor is None:
            step_tensor = get_global_step()
        session, coord = _started(checkpoint_path), Coordinator()
        with session:
            threads = start_queue_runners(session, coord)
            step = int(session.run(step_tensor))
            done, feed = 0, None
            try:
                while update_op is not None and (max_steps is None or done < max_steps):
                    feed = feed_fn() if feed_fn is not None else None
                    session.run(update_op, feed)
                    done += 1
                    if log_every_steps and done % log_every_steps == 0:
                        logging.info("Results after %d steps.", done)
            except (OutOfRangeError, StopIteration):
                logging.info("Input iterator is exhausted.")
            if feed is None and update_op is None and feed_fn is not None:
                feed = feed_fn()
            found = session.run(dict(eval_dict or {}), feed)
            coord.request_stop()
            coord.join(threads, stop_grace_period_secs=2, ignore_live_threads=True)
    _summarize(output_dir, found, step)
    return found, step


def _summarize(folder: Any, found: dict, step: int) -> None:
    if not folder:
        return
    values = [
        Summary.Value(tag=str(k), simple_value=float(v))
        for k, v in found.items()
        if np.ndim(v) == 0 and np.asarray(v).dtype.kind in "fiu"
    ]
    writer = get_summary_writer(folder)
    writer.add_summary(Summary(value=values), step)
    writer.flush()


def run_feeds_iter(
    output_dict: Any, feed_dicts: Iterable[Any], restore_checkpoint_path: Any = None
) -> Iterator[Any]:
    """What tensors are for each of some feeds, one after the other.

    Args:
        output_dict: {name: tensor}. feed_dicts: dicts, or Nones.
        restore_checkpoint_path: the values of the variables; first ones if None.
    Raises:
        ValueError: there is nothing to run, or no feed.
    """
    if not output_dict:
        raise ValueError(f"output_dict is invalid: {output_dict}.")
    if not feed_dicts:
        raise ValueError(f"feed_dicts is invalid: {feed_dicts}.")
    with _graph_of(output_dict).as_default(), _started(restore_checkpoint_path) as s:
        coord = Coordinator()
        threads = start_queue_runners(s, coord)
        for feed in feed_dicts:
            yield s.run(output_dict, feed)
        coord.request_stop()
        coord.join(threads, stop_grace_period_secs=2, ignore_live_threads=True)


def _graph_of(outputs: dict) -> Any:
    for value in outputs.values():
        found = getattr(value, "graph", None)
        if found is not None:
            return found
    return get_default_graph()


def run_feeds(
    output_dict: Any, feed_dicts: Iterable[Any], restore_checkpoint_path: Any = None
) -> list[Any]:
    """As `run_feeds_iter`, as a list."""
    return list(run_feeds_iter(output_dict, feed_dicts, restore_checkpoint_path))


def run_n(
    output_dict: Any, feed_dict: Any = None, restore_checkpoint_path: Any = None,
    n: int = 1,
) -> list[Any]:  # fmt: skip
    """What tensors are in each of n runs with one feed; see `run_feeds_iter`."""
    return run_feeds(output_dict, list(repeat(feed_dict, n)), restore_checkpoint_path)


def infer(
    restore_checkpoint_path: Any, output_dict: Any, feed_dict: Any = None
) -> dict[Any, Any]:
    """What tensors are, with the values of a checkpoint; see `run_feeds_iter`.

    Example:
        with tf.Graph().as_default():
            tf.contrib.learn.infer(None, {"y": tf.constant(2.) * 3.})["y"]  # 6.0
    """
    return run_n(output_dict, feed_dict, restore_checkpoint_path)[0]
