"""ModelInputs and the checks of inputs that keras.engine.training_utils has."""

import numpy as np

from twinflow.base.dispatch import current_mode
from twinflow.base.dtypes import as_dtype
from twinflow.base.tensor import Tensor
from twinflow.keras.backend import defaults, variables
from twinflow.keras.engine.nodes import DeferredTensor
from twinflow.keras.training import checks, compiling, graphs
from twinflow.ops.core.constant import cast, convert_to_tensor


class ModelInputs:
    """Inputs as users give them, with a name and a symbolic tensor for each.

    Args:
        inputs: an array or tensor, or a list or dict of them.
    """

    def __init__(self, inputs):
        self._inputs = inputs
        self._is_dict = isinstance(inputs, dict)
        self._is_single_input = not isinstance(inputs, list | tuple | dict)
        if self._is_dict:
            self._input_names = sorted(inputs)
            self._flattened_inputs = [inputs[n] for n in self._input_names]
        else:
            many = [inputs] if self._is_single_input else list(inputs)
            self._flattened_inputs = many
            self._input_names = [f"input_{i + 1}" for i in range(len(many))]

    def get_input_names(self):
        """The keys of a dict in their order, else input_1, input_2 ..."""
        return self._input_names

    def _arranged(self, values, return_single_as_list):
        if self._is_dict:
            return dict(zip(self._input_names, values, strict=True))
        if self._is_single_input and not return_single_as_list:
            return values[0]
        return values

    def get_symbolic_inputs(self, return_single_as_list=False):
        """A placeholder for each array; in eager mode a DeferredTensor."""
        pairs = zip(self._flattened_inputs, self._input_names, strict=True)
        self._flattened_inputs = [_symbolic(x, name) for x, name in pairs]
        found = self._arranged(self._flattened_inputs, return_single_as_list)
        self._inputs = self._arranged(self._flattened_inputs, False)
        return found

    def as_dict(self):
        """Pairs of a name and an input."""
        yield from zip(self._input_names, self._flattened_inputs, strict=True)

    def as_list(self):
        """The inputs in the order of their names."""
        return self._flattened_inputs

    def get_input_values(self):
        """The inputs as they were given."""
        return self._inputs


def _symbolic(x, name):
    if isinstance(x, list | float | int):
        x = np.asarray(x)
        x = x[:, None] if x.ndim == 1 else x
    if isinstance(x, Tensor) and x.symbolic:
        return x
    shape = (None, *tuple(x.shape)[1:])
    if current_mode().eager:
        return DeferredTensor(shape, as_dtype(x.dtype), name)
    return variables.placeholder(shape=shape, name=name)


# ------------------------------------------------------------------ structures
def _map_nested(data, func):
    """A structure with a function of each part in its place."""
    if isinstance(data, list | tuple):
        return type(data)([_map_nested(x, func) for x in data])
    if isinstance(data, dict):
        return {k: _map_nested(x, func) for k, x in data.items()}
    return func(data)


def _parts(data):
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list | tuple):
        return [part for x in data for part in _parts(x)]
    return [data]


def _nested_all(data, cond_func):
    """Whether something holds of all parts of a structure."""
    return all(cond_func(x) for x in _parts(data))


def _nested_any(data, cond_func):
    """Whether something holds of a part of a structure."""
    return any(cond_func(x) for x in _parts(data))


def _convert_lists_to_tuples(data):
    """A structure with tuples for lists."""
    if isinstance(data, list | tuple):
        return tuple(_convert_lists_to_tuples(x) for x in data)
    if isinstance(data, dict):
        return {k: _convert_lists_to_tuples(x) for k, x in data.items()}
    return data


def _get_batch_axis_size(data):
    """The size of the first axis of the first part of a structure."""
    return int(_parts(data)[0].shape[0])


def has_tensors(ls):
    """Whether there is a tensor in a list, a dict or by itself."""
    return any(checks.is_tensor(x) for x in _parts(ls))


def is_feature_layer(layer):
    """Whether a layer takes a dict of features."""
    return getattr(layer, "_is_feature_layer", False)


# ------------------------------------------------------------------ checks
def check_num_samples(ins, batch_size=None, steps=None, steps_name="steps"):
    """The number of samples; None where the number of steps is given.

    Raises:
        ValueError: both are given, or neither can be known.
    """
    if steps is not None:
        if batch_size is not None:
            raise ValueError(f"If {steps_name} is set, the `batch_size` must be None.")
        if not ins or any(checks.is_symbolic(x) for x in ins):
            return None
    if checks.needs_steps(ins, steps, steps_name, False):
        return None
    return int(ins[0].shape[0]) if hasattr(ins[0], "shape") else None


def standardize_sample_or_class_weights(x_weight, output_names, weight_type):
    """Weights as a list by output; `weight_type` is the name of the argument."""
    return checks.weights_by_output(x_weight, output_names, weight_type)


def prepare_sample_weights(output_names, sample_weight_mode, skip_target_indices):
    """(a placeholder of weights, a mode) for each output, as two lists."""
    modes = compiling.weight_modes(sample_weight_mode, output_names)
    weights = []
    for i, (name, mode) in enumerate(zip(output_names, modes, strict=True)):
        weights.append(None if i in skip_target_indices else graphs.weights(name, mode))
    return weights, [None if w is None else m for w, m in zip(weights, modes)]


def get_output_sample_weight_and_mode(
    skip_target_weighing_indices, sample_weight_mode, output_name, output_index
):
    """(a placeholder of weights, the mode) of an output; two None if it is skipped."""
    if output_index in skip_target_weighing_indices:
        return None, None
    return graphs.weights(output_name, sample_weight_mode), sample_weight_mode


def cast_single_tensor(x):
    """A tensor of numbers with a fraction in `floatx`, others as they are."""
    if checks.is_tensor(x) and x.dtype.is_floating:
        return cast(x, defaults.floatx())
    return x


def cast_if_floating_dtype(x):
    """Tensors through `cast_single_tensor`.

    Raises:
        RuntimeError: one is no tensor.
    """
    if x is None:
        return None
    if not all(checks.is_tensor(part) for part in _parts(x)):
        raise RuntimeError(f"Please provide tensors for casting, got: {x}")
    return _map_nested(x, lambda t: cast_single_tensor(convert_to_tensor(t)))


# ------------------------------------------------------------------ metrics
def get_metric_name(metric, weighted=False):
    """What a metric is called in logs."""
    return ("weighted_" if weighted else "") + compiling.metric_name(metric)


def get_metric_function(metric, output_shape=None, loss_fn=None):
    """The function of a metric, which for "acc" and "ce" hangs on output and loss."""
    return compiling.metric_of(metric, output_shape, loss_fn)
