"""tf.contrib.tpu.TPUEstimator: without a TPU, with its shards simulated."""

import collections
import inspect
from typing import Any

from twinflow.base import nest
from twinflow.contrib.tpu.config import RunConfig
from twinflow.contrib.tpu.cross_shard import over_shards
from twinflow.estimator.estimator import Estimator
from twinflow.estimator.model_fn import EstimatorSpec, ModeKeys
from twinflow.graph.scopes import group
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.joining import split

_FIELDS = [
    "mode", "predictions", "loss", "train_op", "eval_metrics", "export_outputs",
    "scaffold_fn", "host_call", "training_hooks", "evaluation_hooks",
    "prediction_hooks",
]  # fmt: skip


class TPUEstimatorSpec(collections.namedtuple("TPUEstimatorSpec", _FIELDS)):
    """What the model function of a TPUEstimator gives.

    Args:
        mode, predictions, loss, train_op: see tf.estimator.EstimatorSpec.
        eval_metrics: (function, tensors): the function of the tensors gives the dict of
            metrics. export_outputs: accepted. scaffold_fn: gives the Scaffold.
        host_call: (function, tensors), called with each step.
        training_hooks, evaluation_hooks, prediction_hooks: SessionRunHooks.
    """

    def __new__(
        cls, mode: Any, predictions: Any = None, loss: Any = None, train_op: Any = None,
        eval_metrics: Any = None, export_outputs: Any = None, scaffold_fn: Any = None,
        host_call: Any = None, training_hooks: Any = None, evaluation_hooks: Any = None,
        prediction_hooks: Any = None,
    ):  # fmt: skip
        for name, pair in ("eval_metrics", eval_metrics), ("host_call", host_call):
            if pair is not None:
                _check_pair(name, pair)
        return super().__new__(
            cls, mode, predictions, loss, train_op, eval_metrics, export_outputs,
            scaffold_fn, host_call, tuple(training_hooks or ()),
            tuple(evaluation_hooks or ()), tuple(prediction_hooks or ()),
        )  # fmt: skip

    def as_estimator_spec(self) -> Any:
        """The same as a tf.estimator.EstimatorSpec."""
        train_op = self.train_op
        if self.host_call is not None and train_op is not None:
            train_op = group(train_op, _called(self.host_call))
        metrics = None if self.eval_metrics is None else _called(self.eval_metrics)
        return EstimatorSpec(
            mode=self.mode, predictions=self.predictions, loss=self.loss,
            train_op=train_op, eval_metric_ops=metrics,
            export_outputs=self.export_outputs,
            scaffold=self.scaffold_fn() if self.scaffold_fn else None,
            training_hooks=self.training_hooks, evaluation_hooks=self.evaluation_hooks,
            prediction_hooks=self.prediction_hooks,
        )  # fmt: skip


def _check_pair(name, pair):
    if not isinstance(pair, list | tuple):
        raise ValueError(f"{name} should be tuple or list")
    if len(pair) != 2 or not callable(pair[0]):
        raise ValueError(f"{name} should have two elements: a function and its tensors")


def _called(pair):
    function, tensors = pair
    if isinstance(tensors, dict):
        return function(**tensors)
    return function(*tensors)


class TPUEstimator(Estimator):
    """An Estimator with batch sizes in its parameters, and shards.

    Without a TPU (there is none here) `use_tpu=True` simulates the shards of the
    TPUConfig: the model function is called on each part of the batch, and a
    CrossShardOptimizer averages their gradients (Note [Shards] in cross_shard).

    Args:
        model_fn, model_dir, params, warm_start_from: see Estimator; `params` gets
            "batch_size". config: a tf.contrib.tpu.RunConfig.
        use_tpu: whether the shards are simulated.
        train_batch_size, eval_batch_size, predict_batch_size: of a whole batch.
        batch_axis: accepted if 0 everywhere. eval_on_tpu, export_to_tpu: accepted.
    Raises:
        ValueError: a parameter is called "batch_size", or a batch does not divide.
    """

    def __init__(
        self, model_fn: Any = None, model_dir: Any = None, config: Any = None,
        params: Any = None, use_tpu: bool = True, train_batch_size: Any = None,
        eval_batch_size: Any = None, predict_batch_size: Any = None,
        batch_axis: Any = None, eval_on_tpu: bool = True, export_to_tpu: bool = True,
        warm_start_from: Any = None,
    ) -> None:  # fmt: skip
        if not isinstance(config, RunConfig):
            raise ValueError(
                "`config` must be provided with type `tpu_config.RunConfig`"
            )
        if params is not None and "batch_size" in params:
            raise ValueError(
                f"batch_size are reserved keys but existed in params {params}."
            )
        if batch_axis is not None and any(nest.flatten(batch_axis)):
            raise ValueError(f"Only the first axis is split into shards: {batch_axis}")
        self._sizes = {
            ModeKeys.TRAIN: train_batch_size, ModeKeys.EVAL: eval_batch_size,
            ModeKeys.PREDICT: predict_batch_size,
        }  # fmt: skip
        count = config.tpu_config.num_shards or 1
        self._shards = count if use_tpu else 1
        if use_tpu:
            _check_sizes(self._sizes, count)
        self._mode = ModeKeys.TRAIN
        has_params = model_fn is not None and (
            "params" in inspect.signature(model_fn).parameters
        )
        given = dict(params or {}) if has_params or params is not None else None
        super().__init__(model_fn, model_dir, config, given, warm_start_from)

    @property
    def params(self) -> Any:
        """The parameters, with the batch size of the present mode."""
        found, size = super().params, self._sizes[self._mode]
        if size is not None:
            found["batch_size"] = size
        return found

    def _inputs(self, input_fn, mode):
        self._mode = mode
        if "params" not in inspect.signature(input_fn).parameters:
            raise ValueError("input_fn does not include params argument, but has to: "
                             "params['batch_size'] is its batch size")  # fmt: skip
        return super()._inputs(input_fn, mode)

    def _call_model_fn(self, features, labels, mode, config):
        self._mode = mode
        if self._shards == 1 or mode != ModeKeys.TRAIN:
            return self._one(features, labels, mode, config)
        parts = [_parts(features, self._shards), _parts(labels, self._shards)]
        given = list(zip(*parts, strict=True))
        specs = over_shards(self._shards, lambda i: self._one(*given[i], mode, config))
        loss = add_n([spec.loss for spec in specs]) / float(self._shards)
        train_op = group(*[spec.train_op for spec in specs])
        return specs[-1]._replace(loss=loss, train_op=train_op)

    def _one(self, features, labels, mode, config):
        found = self._called_model_fn(features, labels, mode, config)
        if isinstance(found, TPUEstimatorSpec):
            found = found.as_estimator_spec()
        if not isinstance(found, EstimatorSpec):
            raise ValueError(
                "model_fn should return a TPUEstimatorSpec or EstimatorSpec."
            )
        return found


def _check_sizes(sizes, count):
    for mode, size in sizes.items():
        if size is None and mode == ModeKeys.TRAIN:
            raise ValueError("`train_batch_size` cannot be `None`")
        if size is not None and size < 1:
            raise ValueError(f"{mode}_batch_size must be positive, given {size}")
        if size is not None and size % count:
            raise ValueError(
                f"{mode} batch size {size} must be divisible by number of replicas "
                f"{count}"
            )


def _parts(structure, count):
    """A structure of tensors in as many parts of its first axis."""
    if structure is None:
        return [None] * count
    columns = [split(t, count) for t in nest.flatten(structure)]
    return [nest.pack_sequence_as(structure, list(p)) for p in zip(*columns)]


def export_estimator_savedmodel(
    estimator: TPUEstimator, export_dir_base: Any, serving_input_receiver_fn: Any,
    assets_extra: Any = None, as_text: bool = False, checkpoint_path: Any = None,
    strip_default_attrs: bool = False,
) -> Any:  # fmt: skip
    """Write a SavedModel of a TPUEstimator that runs on a CPU.

    Args:
        estimator: the TPUEstimator. Others: see Estimator.export_savedmodel.
    Returns:
        The folder.
    """
    return estimator.export_savedmodel(
        export_dir_base, serving_input_receiver_fn, assets_extra, as_text,
        checkpoint_path, strip_default_attrs,
    )  # fmt: skip
