"""What python.keras.engine.training_utils and its neighbours have."""

import functools
import inspect

import numpy as np

from twinflow.keras.training import checks, compiling, generators
from twinflow.keras.training.objective import weighted_mean

check_array_lengths = checks.check_lengths
check_loss_and_target_compatibility = checks.check_targets
has_symbolic_tensors = checks.is_symbolic


def check_generator_arguments(y=None, sample_weight=None):
    """Raise ValueError where targets or weights are given beside a generator."""
    generators.check_alone(y, sample_weight)


def weighted_masked_objective(fn):
    """A loss of (y_true, y_pred, weights, mask) that gives one number."""
    return None if fn is None else functools.partial(weighted_mean, fn)


def standardize_input_data(
    data, names, shapes=None, check_batch_axis=True, exception_prefix=""
):
    """A list of arrays, one for each name; see twinflow.keras.training.checks."""
    return checks.standardized(data, names, shapes, exception_prefix)


def standardize_single_array(x):
    """A vector as a column."""
    return checks.standardized([x], ["x"], None, "input")[0]


def standardize_sample_weights(sample_weight, output_names):
    """The weights of samples, a list by output."""
    return checks.weights_by_output(sample_weight, output_names, "sample_weight")


def standardize_class_weights(class_weight, output_names):
    """The weights of classes, a list by output."""
    return checks.weights_by_output(class_weight, output_names, "class_weight")


def standardize_weights(
    y, sample_weight=None, class_weight=None, sample_weight_mode=None
):
    """One weight for each sample, or None."""
    return checks.weights_of(y, sample_weight, class_weight, sample_weight_mode)


def check_steps_argument(input_data, steps, steps_name):
    """Whether the number of steps must be given."""
    iterator = hasattr(input_data, "get_next")
    return checks.needs_steps(input_data, steps, steps_name, iterator)


def collect_per_output_metric_info(
    metrics, output_names, output_shapes, loss_fns, sample_weights=None
):
    """For each output a dict from names to metrics."""
    weighted = [w is not None for w in sample_weights or [None] * len(output_names)]
    return compiling.metric_functions(
        metrics, output_names, output_shapes, loss_fns, weighted
    )


def batch_shuffle(index_array, batch_size):
    """Numbers in whole batches that are mixed; the rest comes last."""
    whole = len(index_array) // batch_size * batch_size
    rows = index_array[:whole].reshape(-1, batch_size)
    np.random.shuffle(rows)
    return np.append(rows.ravel(), index_array[whole:])


# ------------------------------------------------------------------ generic_utils
def to_list(x):
    """A list as it is; other things in a list."""
    return x if isinstance(x, list) else [x]


def is_all_none(iterable_or_element):
    """Whether this, or all in it, is None."""
    many = isinstance(iterable_or_element, list | tuple)
    return all(
        x is None for x in (iterable_or_element if many else [iterable_or_element])
    )


def has_arg(fn, name, accept_all=False):
    """Whether a function takes an argument of this name."""
    parameters = inspect.signature(fn).parameters
    every = any(p.kind is p.VAR_KEYWORD for p in parameters.values())
    return name in parameters or (accept_all and every)
