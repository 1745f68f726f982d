"""tf.estimator.Estimator: a model function, its folder, and what is done with both."""

import copy
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from twinflow.base import errors, files, logging, nest
from twinflow.base.advice import advised
from twinflow.base.annotations import Path
from twinflow.base.errors import UsageError
from twinflow.base.text import as_str_any, path_to_str
from twinflow.checkpoint.reader import load_checkpoint, load_variable
from twinflow.checkpoint.starting import warm_start
from twinflow.checkpoint.state import checkpoint_exists, latest_checkpoint
from twinflow.estimator import (
    distributed,
    evaluation,
    exporting,
    in_clusters,
    in_step,
    prediction,
    training_run,
)
from twinflow.estimator.checks import (
    argument_names,
    check_args,
    check_may_train,
    check_not_overridden,
    checked_config,
    checked_hooks,
    checked_listeners,
    with_folder,
)
from twinflow.estimator.fresh_graph import FreshGraph
from twinflow.estimator.input_results import parse_input_fn_result
from twinflow.estimator.model_fn import EstimatorSpec, ModeKeys
from twinflow.estimator.tf_config import default_session_config
from twinflow.estimator.warm_start import WarmStartSettings
from twinflow.export.folders import get_variables_path
from twinflow.graph.scopes import add_to_collection, device
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.summary import summaries
from twinflow.train import training_util
from twinflow.train.basic_session_run_hooks import (
    LoggingTensorHook,
    NanTensorHook,
    StopAtStepHook,
)
from twinflow.train.device_setter import STANDARD_PS_OPS, replica_device_setter
from twinflow.train.monitored_session import ChiefSessionCreator, MonitoredSession

if TYPE_CHECKING:
    from twinflow.estimator.run_config import RunConfig


class Estimator:
    """Trains, evaluates and predicts with a model function.

    Each call makes a graph of its own; the variables live in the checkpoints of
    `model_dir`, so that training goes on where it stopped.

    Args:
        model_fn: (features, labels, mode, params, config) -> EstimatorSpec; only
            `features` is needed.
        model_dir: the folder. config: a RunConfig. params: dict for the model function.
        warm_start_from: a checkpoint, a folder or WarmStartSettings: whose values the
            variables of a fresh training start from.
    Raises:
        ValueError: an argument does not do.
    Example:
        def model_fn(features, labels, mode, params):
            loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features, 1))
            step = tf.train.get_or_create_global_step()
            optimizer = tf.train.GradientDescentOptimizer(params["rate"])
            train_op = optimizer.minimize(loss, global_step=step)
            return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)
        estimator = tf.estimator.Estimator(model_fn, "./model", params={"rate": 0.1})
        data = np.ones((8, 3), "float32"), np.ones((8, 1), "float32")
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
    """

    def __init__(
        self, model_fn: Any, model_dir: Path | None = None, config: Any = None,
        params: Any = None, warm_start_from: Any = None,
    ) -> None:  # fmt: skip
        check_not_overridden(self, Estimator)
        config = with_folder(checked_config(config), model_dir)
        self._config = in_step.joined(config, distributed.given_strategy(config))
        self._session_config = self._config.session_config or default_session_config()
        self._model_dir = self._config.model_dir
        logging.info("Using config: %s", str(vars(self._config)))
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        check_args(model_fn, params)
        self._model_fn, self._params = model_fn, copy.deepcopy(params or {})
        self._warm_start_from = warm_start_from

    @property
    def model_dir(self) -> str:
        """The folder."""
        return self._model_dir

    @property
    def config(self) -> "RunConfig":
        """A copy of the RunConfig."""
        return copy.deepcopy(self._config)

    @property
    def params(self) -> dict[str, Any]:
        """A copy of the parameters."""
        return copy.deepcopy(self._params)

    @property
    def model_fn(self) -> Callable[..., Any]:
        """The model function of (features, labels, mode, config)."""
        return lambda features, labels, mode, config: self._call_model_fn(
            features, labels, mode, config
        )

    # ------------------------------------------------------------------ looking
    def get_variable_names(self) -> list[str]:
        """The names of the variables in the last checkpoint.

        Raises:
            ValueError: there is none.
        """
        self._checkpoint_or_raise()
        return list(load_checkpoint(self._model_dir).get_variable_to_shape_map())

    def get_variable_value(self, name: str) -> Any:
        """The value of a variable in the last checkpoint, an ndarray."""
        self._checkpoint_or_raise()
        return load_variable(self._model_dir, name)

    def latest_checkpoint(self) -> str | Any:
        """The prefix of the last checkpoint, or None."""
        return latest_checkpoint(self._model_dir)

    def _checkpoint_or_raise(self):
        if not self.latest_checkpoint():
            raise ValueError(
                f"Could not find trained model in model_dir: {self._model_dir}."
            )

    def eval_dir(self, name: str | None = None) -> str:
        """The folder of the summaries of an evaluation."""
        return os.path.join(self._model_dir, "eval" if not name else "eval_" + name)

    # ------------------------------------------------------------------ training
    def train(
        self, input_fn: Callable[..., Any], hooks: Any = None, steps: Any = None,
        max_steps: Any = None, saving_listeners: Any = None,
    ) -> "Estimator":  # fmt: skip
        """Train until the input, a hook or the number of steps ends it.

        Args:
            input_fn: gives a Dataset of, or (features, labels); may take `mode`,
                `params` and `config`.
            hooks: SessionRunHooks. steps: how many more; max_steps: in all.
            saving_listeners: CheckpointSaverListeners.
        Returns:
            self
        Raises:
            ValueError: both numbers are given, or one is not positive.
        """
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        for name, number in ("steps", steps), ("max_steps", max_steps):
            if number is not None and number <= 0:
                raise ValueError(f"Must specify {name} > 0, given: {number}")
        check_may_train(self._config)
        if max_steps is not None and max_steps <= trained_steps(self._model_dir):
            logging.info("Skipping training since max_steps has already saved.")
            return self
        hooks, listeners = checked_hooks(hooks), checked_listeners(saving_listeners)
        if steps is not None or max_steps is not None:
            hooks.append(StopAtStepHook(steps, max_steps))
        with in_step.worker(distributed.training_strategy(self._config)):
            loss = self._train(input_fn, hooks, listeners)
        logging.info("Loss for final step: %s.", loss)
        return self

    def _train(self, input_fn, hooks, listeners):
        towers, mode = distributed.training_strategy(self._config), ModeKeys.TRAIN
        placed = self._graph(in_clusters.device_function(self._config), towers)
        with placed, distributed.scope_of(towers):
            if towers is None:
                training_util.get_or_create_global_step_read()
                features, labels, input_hooks = self._inputs(input_fn, mode)
                spec = self._call_model_fn(features, labels, mode, self._config)
            else:
                spec, input_hooks = distributed.training_spec(
                    towers, lambda: self._given(input_fn, mode),
                    lambda x, y, config: self._call_model_fn(x, y, mode, config),
                    self._config,
                )  # fmt: skip
            step = training_util.get_global_step()
            training_util.get_or_create_global_step_read()
            self._start_warm(self.latest_checkpoint())
            if not any(t.op.name == "loss" for t in get_collection("summaries")):
                summaries.scalar("loss", spec.loss)
            add_to_collection(GraphKeys.LOSSES, spec.loss)
            every = self._config.log_step_count_steps
            hooks = [*input_hooks, *hooks, NanTensorHook(spec.loss)]
            if every is not None:
                logged = {"loss": spec.loss, "step": step}
                hooks.append(LoggingTensorHook(logged, every_n_iter=every))
            hooks += spec.training_hooks
            settings = self._config, self._session_config
            return training_run.run(spec, hooks, listeners, *settings)

    def _start_warm(self, path):
        """Where there is no checkpoint: let variables start with those of another."""
        if self._warm_start_from and not path:
            warm_start(*_settings(self._warm_start_from))

    # ------------------------------------------------------------------ evaluation
    def evaluate(
        self, input_fn: Callable[..., Any], steps: Any = None, hooks: Any = None,
        checkpoint_path: Any = None, name: str | None = None,
    ) -> Any:  # fmt: skip
        """The metrics of the model function on the input.

        Args:
            input_fn: see `train`. steps: batches; None: until the input ends.
            hooks: SessionRunHooks. checkpoint_path: the last one by default.
            name: of the evaluation, and of the folder of its summaries.
        Returns:
            Dict from names to values, with "loss" and "global_step".
        Raises:
            ValueError: `steps` is not positive, or a metric is called "loss".
        """
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        hooks = checked_hooks(hooks)
        if steps is not None:
            hooks.append(evaluation.StopAfterNEvalsHook(steps))
        evaluated = lambda path: self._evaluated(path, input_fn, hooks, name)
        return self._from_checkpoint(checkpoint_path, "evaluate", evaluated)

    def _evaluated(self, path, input_fn, hooks, name):
        towers = distributed.evaluation_strategy(self._config)
        with self._graph(towers=towers):
            if towers is None:
                features, labels, input_hooks = self._inputs(input_fn, ModeKeys.EVAL)
                given = features, labels, ModeKeys.EVAL, self._config
                spec = self._call_model_fn(*given)
                metrics = [evaluation.parts_of_metrics(spec)]
            else:
                spec, metrics, input_hooks = distributed.evaluation_spec(
                    towers, lambda: self._given(input_fn, ModeKeys.EVAL),
                    lambda x, y, config: self._call_model_fn(
                        x, y, ModeKeys.EVAL, config
                    ), self._config,
                )  # fmt: skip
            self._start_warm(path)
            update, values = evaluation.grouped(metrics)
            found = evaluation.evaluate_once(
                path, evaluation.with_local_variables(spec.scaffold), update, values,
                [*input_hooks, *hooks, *spec.evaluation_hooks],
                self._session_config,
            )  # fmt: skip
            step = int(found[training_util.GLOBAL_STEP])
            evaluation.write_summary(self.eval_dir(name), found, step, path)
        return found

    def _from_checkpoint(self, given, what, use):
        """`use(path)` of a checkpoint: of the last one, if none is given.

        Another process may remove that for a newer one, until it has been read.
        """
        while True:
            path = given or self.latest_checkpoint()
            if not path:
                logging.info(
                    "Could not find trained model in model_dir: %s, running "
                    "initialization to %s.", self._model_dir, what,
                )  # fmt: skip
            try:
                return use(path)
            except (ValueError, errors.NotFoundError):
                if given or not path or checkpoint_exists(path):
                    raise
                if self.latest_checkpoint() in (None, path):
                    raise

    # ------------------------------------------------------------------ prediction
    def predict(
        self, input_fn: Callable[..., Any], predict_keys: Any = None, hooks: Any = None,
        checkpoint_path: Any = None, yield_single_examples: bool = True,
    ) -> Iterator[Any]:  # fmt: skip
        """The predictions for the input, one after another.

        Args:
            input_fn: see `train`; labels are ignored. predict_keys: those of the dict
                of predictions that are wanted. hooks: SessionRunHooks.
            checkpoint_path: the last one by default.
            yield_single_examples: row by row, else batch by batch.
        Yields:
            What the model function predicts, as ndarrays.
        Raises:
            ValueError: the predictions do not have equally many rows.
        """
        hooks = checked_hooks(hooks)
        opened = lambda path: self._predicting(path, input_fn, predict_keys, hooks)
        session, wanted = self._from_checkpoint(checkpoint_path, "predict", opened)
        with session as sess:
            while not sess.should_stop():
                found = sess.run(wanted)
                yield from prediction.rows(found) if yield_single_examples else [found]

    def _predicting(self, path, input_fn, predict_keys, hooks):
        """(a session, what to run)"""
        with self._graph():
            features, _, input_hooks = self._inputs(input_fn, ModeKeys.PREDICT)
            if not input_hooks:
                _warn_of_endless(features)
            spec = self._call_model_fn(features, None, ModeKeys.PREDICT, self._config)
            self._start_warm(path)
            wanted = prediction.wanted(spec.predictions, predict_keys)
            creator = ChiefSessionCreator(
                spec.scaffold, config=self._session_config,
                checkpoint_filename_with_path=path,
            )  # fmt: skip
            all_hooks = [*input_hooks, *hooks, *spec.prediction_hooks]
            return MonitoredSession(creator, all_hooks), wanted

    # ------------------------------------------------------------------ exporting
    def export_savedmodel(
        self, export_dir_base: Path, serving_input_receiver_fn: Callable[..., Any],
        assets_extra: Any = None, as_text: bool = False,
        checkpoint_path: Path | None = None, strip_default_attrs: bool = False,
    ) -> bytes:  # fmt: skip
        """Write the prediction graph and its values as a SavedModel.

        Args:
            export_dir_base: the folder of a folder named by the seconds of now.
            serving_input_receiver_fn: () -> a ServingInputReceiver.
            assets_extra: dict from names below `assets.extra` to files to be copied.
            as_text: write the graph as text. checkpoint_path: the last one by default.
            strip_default_attrs: leave attributes out that have their defaults.
        Returns:
            The folder, bytes.
        Raises:
            ValueError: there is no checkpoint.
        """
        return self._export_saved_model_for_mode(
            export_dir_base, serving_input_receiver_fn, assets_extra, as_text,
            checkpoint_path, strip_default_attrs,
        )  # fmt: skip

    def export_saved_model(
        self, export_dir_base: Any, serving_input_receiver_fn: Any,
        assets_extra: Any = None, as_text: Any = False, checkpoint_path: Any = None,
    ) -> Any:  # fmt: skip
        """As `export_savedmodel`, without default attributes."""
        return self.export_savedmodel(
            export_dir_base, serving_input_receiver_fn, assets_extra, as_text,
            checkpoint_path, True,
        )  # fmt: skip

    def _export_saved_model_for_mode(
        self, export_dir_base, input_receiver_fn, assets_extra=None, as_text=False,
        checkpoint_path=None, strip_default_attrs=False, mode=ModeKeys.PREDICT,
    ):  # fmt: skip
        """As `export_savedmodel`, of another mode."""
        if not input_receiver_fn:
            raise ValueError("An input_receiver_fn must be defined.")
        return self._export_all_saved_models(
            export_dir_base, {mode: input_receiver_fn}, assets_extra, as_text,
            checkpoint_path, strip_default_attrs,
        )  # fmt: skip

    def _export_all_saved_models(
        self, export_dir_base, input_receiver_fn_map, assets_extra=None, as_text=False,
        checkpoint_path=None, strip_default_attrs=False,
    ):  # fmt: skip
        """As `export_savedmodel`, with a graph of each mode."""
        return exporting.export(
            self, as_str_any(path_to_str(export_dir_base)), input_receiver_fn_map,
            assets_extra or {}, as_text, checkpoint_path, strip_default_attrs,
        )  # fmt: skip

    # ------------------------------------------------------------------ the graph
    def _graph(self, place=None, towers=None):
        def make_step(graph):
            with distributed.scope_of(towers):
                return self._create_and_assert_global_step(graph)

        return FreshGraph(self._config.tf_random_seed, place, make_step)

    def _create_global_step(self, graph):
        """The global step of a graph, made; subclasses may make it otherwise."""
        return training_util.create_global_step(graph)

    def _create_and_assert_global_step(self, graph):
        step = self._create_global_step(graph)
        if step is not training_util.get_global_step() or not step.dtype.is_integer:
            raise UsageError(
                "_create_global_step must give the graph's global step, an integer; it "
                f"gave {step}"
            )
        return step

    def _inputs(self, input_fn, mode):
        """(features, labels, hooks) of an input function."""
        with device("/cpu:0"):
            return parse_input_fn_result(self._given(input_fn, mode))

    def _given(self, input_fn, mode):
        """What an input function gives."""
        if not callable(input_fn):
            raise advised(TypeError, f"{input_fn!r} is not a callable object")
        kwargs = {"mode": mode, "params": self.params, "config": self.config}
        names = argument_names(input_fn)
        return input_fn(**{k: v for k, v in kwargs.items() if k in names})

    def _call_model_fn(self, features, labels, mode, config):
        spec = self._called_model_fn(features, labels, mode, config)
        if not isinstance(spec, EstimatorSpec):
            raise advised(ValueError, "model_fn should return an EstimatorSpec.")
        return spec

    def _called_model_fn(self, features, labels, mode, config):
        """What the model function gives."""
        names, kwargs = argument_names(self._model_fn), {}
        if "labels" in names:
            kwargs["labels"] = labels
        elif labels is not None:
            raise ValueError(
                "model_fn does not take labels, but input_fn returns labels."
            )
        given = {"mode": mode, "params": self.params, "config": config}
        kwargs.update({k: v for k, v in given.items() if k in names})
        logging.info("Calling model_fn.")
        spec = self._model_fn(features=features, **kwargs)
        logging.info("Done calling model_fn.")
        return spec


def _warn_of_endless(features):
    """Say that nothing ends the input, if nothing does."""
    kinds = {t.op.type for t in nest.flatten(features) if hasattr(t, "op")}
    if kinds & {"IteratorGetNext"} or get_collection(GraphKeys.QUEUE_RUNNERS):
        return
    logging.warning(
        "Input graph does not use tf.data.Dataset or contain a QueueRunner. That means "
        "predict yields forever. This is probably a mistake."
    )


def trained_steps(model_dir):
    """The global step of the last checkpoint; 0 without one."""
    try:
        return int(load_checkpoint(model_dir).get_tensor(training_util.GLOBAL_STEP))
    except Exception:
        return 0


def _settings(warm_start_from):
    """The WarmStartSettings that a path stands for; that of a SavedModel too.

    Raises:
        ValueError: it is something else.
    """
    if isinstance(warm_start_from, WarmStartSettings):
        return warm_start_from
    if not isinstance(warm_start_from, str | bytes | os.PathLike):
        raise ValueError(
            "warm_start_from must be a string or a WarmStartSettings, instead got "
            f"{type(warm_start_from)}"
        )
    path = as_str_any(path_to_str(warm_start_from))
    saved = get_variables_path(path)
    if files.Exists(f"{saved}.index"):
        logging.info("Warm-starting from a SavedModel")
        path = saved
    return WarmStartSettings(ckpt_to_initialize_from=path)


def replica_device_setter_of(config: Any) -> Any:
    """The function for tf.device of a task whose cluster has parameter servers.

    An Estimator does not enter it: the variables of its one process lie here.

    Args:
        config: a RunConfig.
    Returns:
        The function; None where there is no parameter server.
    """
    if not config.num_ps_replicas:
        return None
    task = f"/job:{config.task_type}/task:{config.task_id}"
    return replica_device_setter(
        ps_tasks=config.num_ps_replicas,
        worker_device=task if config.task_type else "/job:worker",
        ps_ops=list(STANDARD_PS_OPS), cluster=config.cluster_spec,
    )  # fmt: skip
