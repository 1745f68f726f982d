"""What training needs in a graph: placeholders, the loss, and the ops of steps."""

import numpy as np

from twinflow.base import dtypes, nest
from twinflow.base.dispatch import current_mode
from twinflow.base.tensor import Tensor
from twinflow.keras.backend import defaults, variables
from twinflow.keras.engine.layer_losses import reaches
from twinflow.keras.engine.nodes import masks_of
from twinflow.keras.training import compiling, steps
from twinflow.keras.training.checks import is_tensor
from twinflow.ops.arrays.placeholder import placeholder, placeholder_with_default
from twinflow.ops.core.constant import constant


def make_ends(model, values, names):
    """Placeholders for data, and what a model that is written as a class makes of them.

    Tensors among the data are used as they are, and not fed.
    """
    inputs = [
        v if is_tensor(v) else _placeholder(v, name)
        for v, name in zip(values, names, strict=True)
    ]
    fed = [not is_tensor(v) for v in values]
    found = {
        "inputs": inputs, "input_names": names, "outputs": [],
        "feed": [x for x, f in zip(inputs, fed, strict=True) if f],
        "feed_names": [n for n, f in zip(names, fed, strict=True) if f],
    }  # fmt: skip
    model._note(_fed=found)
    found["outputs"] = nest.flatten(_called(model, inputs))
    return found


def _called(model, inputs):
    kwargs = {"training": None} if model._takes("training") else {}
    return model.call(steps.arranged(model, inputs), **kwargs)


def fed_dtype(value):
    """The DType of an input of a model that is written as a class: `floatx` for all
    numbers of arrays, as in TensorFlow."""
    dtype = dtypes.as_dtype(value.dtype)
    counted = isinstance(value, np.ndarray) and value.dtype.kind in "biu"
    return dtypes.as_dtype(defaults.floatx()) if dtype.is_floating or counted else dtype


def _placeholder(value, name):
    sizes = value.shape[1:] if len(value.shape) > 1 else (1,)
    return placeholder(fed_dtype(value), (None, *sizes), name)


def is_placeholder(t):
    """Whether a tensor is fed."""
    return isinstance(t, Tensor) and t.op.type == "Placeholder"


def make_targets(model):
    """The placeholders of targets and of the weights of samples."""
    given = compiling.targets_by_output(model.target_tensors, model.output_names)
    targets, own, every, fed_weights = [], [], [], []
    columns = (model.outputs, model.output_names, given, model.sample_weight_modes)
    for i, (y, name, target, mode) in enumerate(zip(*columns, strict=True)):
        weight = None
        if i not in model._wanted:
            target = None
        elif target is None or is_placeholder(target):
            if target is None:
                target = variables.placeholder(
                    ndim=len(y._shape), name=f"{name}_target",
                    dtype=y.dtype.base_dtype, sparse=False,
                )  # fmt: skip
            weight = weights(name, mode)
            fed_weights.append(weight)
        else:
            own.append(i)
        targets.append(target)
        every.append(weight)
    model._note(
        targets=targets,
        sample_weights=every,
        _given_targets=own,
        _feed_targets=[targets[i] for i in model._wanted if i not in own],
        _feed_sample_weights=fed_weights,
    )


def weights(name, mode):
    """A placeholder of the weights of samples, all 1 where it is not fed."""
    value, shape = ([[1.0]], [None, None]) if mode == "temporal" else ([1.0], [None])
    return placeholder_with_default(
        constant(value, defaults.floatx()), shape, name=f"{name}_sample_weights"
    )


def make_losses(model):
    """The loss and the metrics as tensors."""
    masks = [masks_of(y) for y in model.outputs]
    targets = [model.targets[i] for i in model._wanted]
    weights = [model.sample_weights[i] for i in model._wanted]
    data = (model.outputs, masks, targets, weights)
    total, parts = steps.losses_of(model, *data)
    before = set(_metric_updates(model))  # of other models, or an earlier `compile`
    found = steps.measured(model, *data)
    model._note(
        total_loss=total, metrics_tensors=[*parts, *found],
        metrics_updates=[u for u in _metric_updates(model) if u not in before],
    )  # fmt: skip


def _metric_updates(model):
    return [u for metric in model.stateful_metric_functions for u in metric.updates]


def step(model, kind):
    """The GraphStep of a model: "train", "test" or "predict"."""
    options = model.__dict__.get("_function_kwargs") or {}
    inputs, outs, updates = parts_of_step(model, kind)
    if kind != "predict":
        inputs += model._feed_sample_weights
    return steps.GraphStep(inputs, outs, updates, int(kind == "train"), options)


def parts_of_step(model, kind):
    """(the inputs and targets, outputs, updates) of a step, three lists."""
    inputs = list(model._feed_inputs)
    if kind == "predict":
        outs, updates = list(model.outputs), state_updates(model)
    else:
        inputs += model._feed_targets
        outs = [model.total_loss, *model.metrics_tensors]
        train = kind == "train"
        updates = training_updates(model) if train else state_updates(model)
        updates = [*updates, *model.metrics_updates]
    return inputs, outs, updates


def training_updates(model):
    """The ops of a training step of a model that is compiled in this graph."""
    mode = current_mode()
    with mode.name_scope("training"), mode.name_scope(type(model.optimizer).__name__):
        variables = model._collected_trainable_weights
        updates = list(model.optimizer.get_updates(model.total_loss, variables))
    updates += model.get_updates_for(None)
    return updates + model.get_updates_for(model.inputs)


def uses_learning_phase(model):
    """Whether an output depends on the learning phase."""
    phase = defaults.phase_tensor(current_mode().variable_owner())
    return phase is not None and any(reaches(y, {phase}) for y in model.outputs)


def state_updates(model):
    """The updates of the stateful layers of a model."""
    stateful = [x for x in model.layers if getattr(x, "stateful", False)]
    return [u for layer in stateful for u in layer.updates]
