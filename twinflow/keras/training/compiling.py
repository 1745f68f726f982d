"""What `compile` notes: the losses, weights and metrics of each output."""

from twinflow.base import logging
from twinflow.keras import losses, metrics


def loss_functions(loss, names):
    """A loss for each output; None where there is none.

    Raises:
        ValueError: a list has another length, or a dict an unknown name.
    """
    if isinstance(loss, dict):
        _check_names(loss, names, "loss")
        for name in names:
            if name not in loss:
                logging.warning(
                    f'Output "{name}" missing from loss dictionary. We assume this was '
                    "done on purpose. The fit and evaluate APIs will not be expecting "
                    f'any data to be passed to "{name}".'
                )
        return [losses.get(loss.get(name)) for name in names]
    if isinstance(loss, list):
        _check_length(loss, names, "loss", f"loss={loss}", "outputs")
        return [losses.get(x) for x in loss]
    return [losses.get(loss)] * len(names)


def _check_names(given, names, what):
    for name in given:
        if name not in names:
            raise ValueError(
                f'Unknown entry in {what} dictionary: "{name}". Only expected the '
                f"following keys: {list(names)}"
            )


def _check_length(given, names, what, passed, each="output"):
    if len(given) != len(names):
        raise ValueError(
            f"When passing a list as {what}, it should have one entry per model "
            f"{each}. The model has {len(names)} outputs, but you passed {passed}"
        )


def loss_weights(given, names):
    """A number for each output.

    Raises:
        ValueError: a list has another length, or a dict an unknown name.
        TypeError: it is neither.
    """
    if given is None:
        return [1.0] * len(names)
    if isinstance(given, dict):
        _check_names(given, names, "loss_weights")
        return [given.get(name, 1.0) for name in names]
    if not isinstance(given, list):
        raise TypeError(
            f"Could not interpret loss_weights argument: {given} - expected a list of "
            "dicts."
        )
    _check_length(given, names, "loss_weights", f"loss_weights={given}")
    return given


def weight_modes(given, names):
    """None or "temporal" for each output.

    Raises:
        ValueError: a list has another length, or a dict lacks or has a further name.
    """
    if isinstance(given, dict):
        unknown = set(given) - set(names)
        if unknown:
            raise ValueError(
                f'Unknown entry in sample_weight_mode dictionary: "{unknown}". Only '
                f"expected the following keys: {list(names)}"
            )
        if set(names) - set(given):
            raise ValueError("Output missing from sample_weight_modes dictionary")
        return [given[name] for name in names]
    if isinstance(given, list):
        passed = f"{len(given)}sample_weight_modes"
        _check_length(given, names, "sample_weight_mode", passed)
        return given
    return [given] * len(names)


def targets_by_output(given, names):
    """`target_tensors` as a list; None where there are none.

    Raises:
        ValueError: a list has another length, or a dict an unknown name.
        TypeError: it is neither.
    """
    if given is None or (isinstance(given, list) and not given):
        return [None] * len(names)
    if isinstance(given, dict):
        _check_names(given, names, "`target_tensors`")
        return [given.get(name) for name in names]
    if not isinstance(given, list):
        raise TypeError(
            "Expected `target_tensors` to be a list or dict, but got:", given
        )
    _check_length(given, names, "`target_tensors`", f"target_tensors={given}")
    return given


# ------------------------------------------------------------------ metrics
def metric_functions(given, names, shapes, functions, weighted):
    """For each output a dict from names to metrics.

    Args:
        given: a list, or a dict by output. shapes: of the outputs.
        functions: the losses. weighted: whether samples have weights, by output.
    Raises:
        TypeError: it is neither a list nor a dict.
    """
    if not given:
        return [{} for _ in names]
    if isinstance(given, dict):
        each = [given.get(name, []) for name in names]
        each = [x if isinstance(x, list) else [x] for x in each]
    elif isinstance(given, list):
        each = [given] * len(names)
    else:
        raise TypeError(
            "Type of `metrics` argument not understood. Expected a list or dictionary, "
            f"found: {given}"
        )
    return [
        {("weighted_" if w else "") + metric_name(m): metric_of(m, s, f) for m in found}
        for found, s, f, w in zip(each, shapes, functions, weighted, strict=True)
    ]


def metric_name(metric):
    """What a metric is called in logs."""
    if metric in ("accuracy", "acc"):
        return "acc"
    if metric in ("crossentropy", "ce"):
        return "ce"
    found = metrics.get(metric)
    return getattr(found, "name", None) or found.__name__


def metric_of(metric, shape, function):
    """The metric that is meant for an output of a shape and with a loss."""
    kinds = {"accuracy": "accuracy", "acc": "accuracy"}
    kinds |= {"crossentropy": "crossentropy", "ce": "crossentropy"}
    kind = kinds.get(metric) if isinstance(metric, str) else None
    if kind is None:
        return metrics.get(metric)
    if shape[-1] == 1 or function is losses.binary_crossentropy:
        return getattr(metrics, f"binary_{kind}")
    if function is losses.sparse_categorical_crossentropy:
        return getattr(metrics, f"sparse_categorical_{kind}")
    return getattr(metrics, f"categorical_{kind}")


def unique_name(name, output, many, known):
    """The name of a metric of an output, numbered where it is taken."""
    base = name = f"{output}_{name}" if many else name
    number = 1
    while name in known:
        name, number = f"{base}_{number}", number + 1
    return name
