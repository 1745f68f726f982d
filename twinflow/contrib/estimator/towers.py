"""replicate_model_fn: a model function that is called once for each of some devices.

Note [Towers]: each device gets its part of the batch and a call of the model function,
a tower. The first one makes the variables, the others reuse them; TowerOptimizers keep
the gradients of each and apply their sum in the last. What the towers give is then one
EstimatorSpec: the sum of the losses, and metrics and predictions of the whole batch.
"""

import collections
import copy
import enum
from collections.abc import Callable
from typing import Any

from twinflow.base import devices as devices_of
from twinflow.base import logging
from twinflow.contrib.estimator.tower_optimizer import (
    TowerOptimizer,
    scale_loss,
    sum_on_device,
)
from twinflow.estimator.checks import argument_names
from twinflow.estimator.export_outputs import (
    ClassificationOutput,
    PredictOutput,
    RegressionOutput,
)
from twinflow.estimator.model_fn import EstimatorSpec, ModeKeys
from twinflow.graph.scopes import control_dependencies, group, name_scope
from twinflow.graph.scopes import device as on_device
from twinflow.graph.variable_scope import variable_scope
from twinflow.losses.weighting import Reduction
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.joining import concat, split, stack
from twinflow.ops.core.no_op import no_op
from twinflow.ops.sparse.parts import sparse_split
from twinflow.ops.sparse.tensor import SparseTensor
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.train.device_setter import STANDARD_PS_OPS, RoundRobinStrategy


class VariableDistributionMode(enum.Enum):
    """Where variables lie: all on one device, or on each in turn."""

    SHARED_LOCAL_PARAMETER_SERVER = 1
    SHARED_ROUND_ROBIN = 2


def replicate_model_fn(
    model_fn: Callable[..., Any],
    loss_reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
    devices: list[Any] | None = None,
) -> Callable[..., Any]:  # fmt: skip
    """A model function that cuts the batch up and calls another one on each device.

    The optimizers of the other one must be `tf.contrib.estimator.TowerOptimizer`s if
    there is more than one device.

    Args:
        model_fn: (features, labels, mode, params, config) -> EstimatorSpec.
        loss_reduction: how its loss is made of the losses of examples; the towers'
            losses are added if it is SUM, else averaged.
        devices: names of devices; all GPUs of this machine by default, or its CPU.
    Returns:
        (features, labels, mode, params=None, config=None) -> EstimatorSpec.
    Raises:
        ValueError: the losses are not reduced.
    Example:
        def model_fn(features, labels, mode):
            loss = tf.losses.mean_squared_error(labels, tf.layers.dense(features, 1))
            optimizer = tf.contrib.estimator.TowerOptimizer(
                tf.train.GradientDescentOptimizer(0.1))
            step = tf.train.get_or_create_global_step()
            train_op = optimizer.minimize(loss, global_step=step)
            return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)
        towers = tf.contrib.estimator.replicate_model_fn(
            model_fn, tf.losses.Reduction.MEAN, devices=["/cpu:0", "/cpu:0"])
        estimator = tf.estimator.Estimator(towers, "./model")
        data = np.ones((8, 3), "float32"), np.ones((8, 1), "float32")
        estimator.train(lambda: tf.data.Dataset.from_tensors(data), steps=1)
    """
    return replicate_model_fn_with_mode(model_fn, loss_reduction, devices)


def replicate_model_fn_with_mode(
    model_fn: Callable, loss_reduction: str, devices: list | None = None,
    mode: Any = VariableDistributionMode.SHARED_LOCAL_PARAMETER_SERVER,
) -> Callable:  # fmt: skip
    """As replicate_model_fn, with a say where variables lie."""
    if loss_reduction == Reduction.NONE:
        raise ValueError(
            "Tower losses need to be reduced in some way, yet none reduction is "
            "specified."
        )
    devices = devices or local_devices("GPU") or local_devices("CPU")
    single_gpu = len(devices) == 1 and "GPU" in devices[0].upper()
    ps_devices = [devices[0]] if single_gpu else ["/CPU:0"]
    if mode == VariableDistributionMode.SHARED_ROUND_ROBIN:
        ps_devices = devices
    consolidation = ps_devices[0]
    logging.info(
        "Replicating the `model_fn` across %s.  Variables are going to be placed on "
        "%s.  Consolidation device is going to be %s.",
        devices, ps_devices, consolidation,
    )  # fmt: skip
    towers = {"devices": devices, "local_ps_devices": ps_devices}

    def single_device_model_fn(features, labels, mode, params=None, config=None):
        found = loss_towers(
            model_fn, mode, [features], [labels], params, config,
            loss_reduction=loss_reduction, **towers,
        )  # fmt: skip
        TowerOptimizer._clear_graph_state()
        return found[0]

    def replicated_model_fn(features, labels, mode, params=None, config=None):
        parts = split_batch(features, labels, len(devices), consolidation)
        specs = loss_towers(
            model_fn, mode, *parts, params, config, loss_reduction=loss_reduction,
            **towers,
        )  # fmt: skip
        if mode == ModeKeys.TRAIN:
            found = train_spec(specs, _train_op(specs), consolidation)
        elif mode == ModeKeys.EVAL:
            found = eval_spec(specs, consolidation)
        else:
            found = predict_spec(specs, consolidation)
        TowerOptimizer._clear_graph_state()
        return found

    return single_device_model_fn if len(devices) == 1 else replicated_model_fn


def _train_op(specs):
    """The train op of the last tower, which applies the gradients of all."""
    if not TowerOptimizer.has_been_used():
        raise ValueError(
            "Please wrap optimizers with TowerOptimizer in order to use "
            "replicate_model_fn with multiple `devices`."
        )
    if not TowerOptimizer._did_towers_have_same_optimizer_calls():
        raise ValueError(
            "Each invocation of model_fn was supposed to make the same optimizer calls."
        )
    return specs[-1].train_op


# ------------------------------------------------------------------ the towers
def loss_towers(
    model_fn: Callable, mode: Any, features: list, labels: Any, params: Any,
    config: Any, devices: list, local_ps_devices: list, loss_reduction: str,
    name_scope_pattern: str = "tower_{}",
) -> list:  # fmt: skip
    """An EstimatorSpec for each device, from the part of the batch it has."""
    names = argument_names(model_fn)
    optional = {"params": copy.deepcopy(params), "config": copy.deepcopy(config)}
    state = TowerOptimizer._graph_state()
    state.set_reduction_across_towers(loss_reduction, len(devices))
    round_robin, specs = RoundRobinStrategy(len(local_ps_devices)), []
    for i, where in enumerate(devices):
        kwargs = {key: v for key, v in optional.items() if key in names}
        if "labels" in names:
            kwargs["labels"] = labels[i] if labels else None
        if "mode" in names:
            kwargs["mode"] = mode
        chosen = local_device_setter(where, local_ps_devices, round_robin)
        names_of_tower = name_scope_pattern.format(i) if i else ""
        with (
            variable_scope("", reuse=bool(i)) as variables,
            name_scope(names_of_tower) as scope,
            state.tower(i, variables, scope),
            on_device(chosen),
        ):
            spec = model_fn(features=features[i], **kwargs)
            loss = scale_loss(spec.loss, loss_reduction, len(devices))
        specs.append(spec._replace(loss=loss))
    return specs


def local_device_setter(
    worker_device: str, ps_devices: list, ps_strategy: Callable
) -> Callable:
    """A function for tf.device: variables lie on some devices, the rest on another."""

    def local_device_chooser(op):
        variable = op.node_def.op in STANDARD_PS_OPS
        name = ps_devices[ps_strategy(op)] if variable else worker_device
        spec = devices_of.DeviceSpec.from_string(name)
        spec.merge_from(devices_of.DeviceSpec.from_string(op.device or ""))
        return spec.to_string()

    return local_device_chooser


def local_devices(device_type: str) -> list[str]:
    """The names of this machine's devices of a kind."""
    shorts = (name[name.rindex("/") :] for name in devices_of.list_devices())
    return [name for name in shorts if name.split(":")[1] == device_type]


def split_batch(features: Any, labels: Any, number_of_shards: int, device: str) -> Any:
    """The parts of the features and of the labels (None: there are none)."""
    with name_scope("split_inputs"), on_device(device):
        found = _shards(features, number_of_shards)
        return found, None if labels is None else _shards(labels, number_of_shards)


def _shards(batch, n):
    if not isinstance(batch, dict):
        return _parts(batch, n)
    cut = {key: _parts(value, n) for key, value in batch.items()}
    return [{key: parts[i] for key, parts in cut.items()} for i in range(n)]


def _parts(value, n):
    if isinstance(value, SparseTensor):
        return sparse_split(sp_input=value, num_split=n, axis=0)
    value = convert_to_tensor(value)
    size = value.shape.dims[0].value if value.shape.dims else None
    if size is not None and size % n:
        raise ValueError(
            f"Batch size {size} needs to be divisible by the number of GPUs, which is "
            f"{n}."
        )
    return split(value, n)


# ------------------------------------------------------------------ what they give
def train_spec(
    tower_specs: list, train_op: Any, aggregation_device: str,
    aggregated_loss_name: str = "loss",
) -> EstimatorSpec:  # fmt: skip
    """The spec of the last tower, with the loss of all."""
    return tower_specs[-1]._replace(
        mode=ModeKeys.TRAIN, train_op=train_op,
        loss=_loss(tower_specs, aggregation_device, aggregated_loss_name),
    )  # fmt: skip


def eval_spec(
    tower_specs: list, aggregation_device: str, aggregated_loss_name: str = "loss"
) -> EstimatorSpec:
    """The spec of the first tower, whose metrics are of all."""
    loss = _loss(tower_specs, aggregation_device, aggregated_loss_name)
    updates = [
        update
        for spec in tower_specs
        for _, update in (spec.eval_metric_ops or {}).values()
    ]
    with control_dependencies(updates):
        reduced = reduce_metric_variables(len(tower_specs))
    metrics = tower_specs[0].eval_metric_ops or {}
    return tower_specs[0]._replace(
        mode=ModeKeys.EVAL, loss=loss,
        eval_metric_ops={key: (value, reduced) for key, (value, _) in metrics.items()},
    )  # fmt: skip


def _loss(specs, where, name):
    return sum_on_device([spec.loss for spec in specs], where, name)


def reduce_metric_variables(number_of_towers: int) -> Any:
    """An op that moves what metrics have counted in towers to the first one's.

    Raises:
        ValueError: the towers have not equally many variables of metrics.
    """
    if number_of_towers == 1:
        return no_op()
    variables = get_collection(GraphKeys.METRIC_VARIABLES)
    n = len(variables) // number_of_towers
    if len(variables) != n * number_of_towers:
        raise ValueError(
            "Different `EstimatorSpec.eval_metric_ops` across `model_fn()` calls. "
            f"Expected {n * number_of_towers} local variables, but got "
            f"{len(variables)} instead."
        )
    moved = []
    for i, variable in enumerate(variables[n:]):
        total = variables[i % n]
        with control_dependencies([total.assign_add(variable)]):
            moved.append(variable.assign(zeros_like(variable)))
    return group(*moved)


def predict_spec(tower_specs: list, aggregation_device: str) -> EstimatorSpec:
    """The spec of the first tower, whose predictions and outputs are of all."""
    first = tower_specs[0]
    with on_device(aggregation_device):
        predictions = _rows([s.predictions for s in tower_specs])
        outputs = {}
        for key in first.export_outputs or {}:
            outputs[key] = _joined([s.export_outputs[key] for s in tower_specs])
    return first._replace(
        mode=ModeKeys.PREDICT, predictions=predictions, export_outputs=outputs or None
    )


def _joined(outputs):
    """One ExportOutput of those of all towers."""
    first = outputs[0]
    if isinstance(first, RegressionOutput):
        return RegressionOutput(concat([o.value for o in outputs], axis=0))
    if isinstance(first, ClassificationOutput):
        return ClassificationOutput(
            scores=_all(concat, [o.scores for o in outputs]),
            classes=_all(stack, [o.classes for o in outputs]),
        )
    if isinstance(first, PredictOutput):
        return PredictOutput(concat_tensor_dicts(*[o.outputs for o in outputs]))
    return first


def _all(join, parts):
    return None if parts[0] is None else join(parts, axis=0)


def _rows(predictions):
    if isinstance(predictions[0], dict):
        return concat_tensor_dicts(*predictions)
    return concat(predictions, axis=0)


def concat_tensor_dicts(*tensor_dicts: dict) -> dict:
    """Dict from names to the rows of all dicts that have them."""
    lists = dict_concat(*tensor_dicts)
    return {key: concat(parts, axis=0, name=key) for key, parts in lists.items()}


def dict_concat(*dicts: dict) -> dict[str, list]:
    """Dict from names to the values of all dicts that have them."""
    found = collections.defaultdict(list)
    for each in dicts:
        for key, value in each.items():
            found[key].append(value)
    return dict(found)
