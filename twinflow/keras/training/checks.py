"""What users pass to fit and the like, as lists of arrays; and what is wrong."""

import numpy as np

from twinflow.base.advice import advised
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.keras import losses


def is_tensor(x):
    """Whether this is a tensor of either mode."""
    return isinstance(x, Tensor | ResourceHandle)


def is_symbolic(data):
    """Whether there is a graph's tensor in a structure."""
    if isinstance(data, dict):
        data = list(data.values())
    if isinstance(data, list | tuple):
        return any(is_symbolic(x) for x in data)
    if isinstance(data, ResourceHandle):
        return data.graph is not None
    return isinstance(data, Tensor) and data.symbolic


def _plain(x):
    """The array of a pandas object; other things as they are."""
    return x.values if type(x).__name__ in ("DataFrame", "Series") else x


def _column(x):
    """A vector as a column."""
    if x is None or len(_sizes(x) or ()) != 1:
        return x
    return x[:, None]


def standardized(data, names, shapes, kind):
    """A list of arrays, one for each name.

    Args:
        data: an array, a list, or a dict. names: what is expected.
        shapes: for each name a shape, or None; None for no checks.
        kind: "input" or "target", for errors.
    Raises:
        ValueError: something is missing, too much, or has another shape.
    """
    if not names:
        sized = hasattr(data, "__len__") and not is_symbolic(data)
        if sized and len(data) and not isinstance(data, dict):
            raise ValueError(
                f"Error when checking model {kind}: expected no data, but got:", data
            )
        return []
    if data is None:
        return [None] * len(names)
    data = [_column(x) for x in _listed(data, names)]
    data = _counted(data, names, kind)
    for x, name, shape in zip(data, names, shapes or [], strict=False):
        if shape is not None:
            _check_shape(x, name, shape, kind)
    return data


def _listed(data, names):
    if isinstance(data, dict):
        for name in names:
            if name not in data:
                raise ValueError(
                    f'No data provided for "{name}". Need data for each key in: '
                    f"{list(names)}"
                )
        return [_plain(data[name]) for name in names]
    if isinstance(data, list | tuple):
        if data and isinstance(data[0], list | tuple):
            return [np.asarray(d) for d in data]
        if len(names) == 1 and data and isinstance(data[0], float | int):
            return [np.asarray(data)]
        return [_plain(x) for x in data]
    return [_plain(data)]


def _counted(data, names, kind):
    if len(data) == len(names):
        return [x if hasattr(x, "shape") else np.asarray(x) for x in data]
    start = f"Error when checking model {kind}: "
    if data and hasattr(data[0], "shape"):
        raise ValueError(
            f"{start}the list of Numpy arrays that you are passing to your model is "
            f"not the size the model expected. Expected to see {len(names)} array(s), "
            f"but instead got the following list of {len(data)} arrays: "
            f"{str(data)[:200]}..."
        )
    if len(names) > 1:
        raise ValueError(
            f"{start}you are passing a list as input to your model, but the model "
            f"expects a list of {len(names)} Numpy arrays instead. The list you passed "
            f"was: {str(data)[:200]}"
        )
    if len(data) == 1 and not hasattr(data[0], "shape"):
        raise TypeError(
            f"{start}data should be a Numpy array, or list/dict of Numpy arrays. "
            f"Found: {str(data)[:200]}..."
        )
    return [_column(np.asarray(data))]


def _sizes(x):
    if is_tensor(x):
        return None if x._shape is None else tuple(x._shape)
    return tuple(x.shape)


def _check_shape(x, name, shape, kind):
    sizes = _sizes(x)
    if sizes is None:
        return
    if len(sizes) != len(shape):
        raise advised(
            ValueError,
            f"Error when checking {kind}: expected {name} to have {len(shape)} "
            f"dimensions, but got array with shape {sizes}",
        )
    for size, wanted in zip(sizes[1:], shape[1:], strict=True):
        if None not in (size, wanted) and size != wanted:
            raise advised(
                ValueError,
                f"Error when checking {kind}: expected {name} to have shape "
                f"{tuple(shape[1:])} but got array with shape {sizes[1:]}",
            )


# ------------------------------------------------------------------ weights
def weights_by_output(given, names, what):
    """`sample_weight` or `class_weight` as a list, one entry for each output.

    Raises:
        ValueError: the list is too short or long. TypeError: it is neither.
    """
    if given is None or (isinstance(given, list) and not given):
        return [None] * len(names)
    if len(names) == 1:
        if isinstance(given, list) and len(given) == 1:
            return given
        if isinstance(given, dict) and names[0] in given:
            return [given[names[0]]]
        return [given]
    if isinstance(given, dict):
        return [given.get(name) for name in names]
    if not isinstance(given, list | tuple):
        raise TypeError(
            f"The model has multiple outputs, so `{what}` should be either a list or a "
            f"dict. Provided `{what}` type not understood: {given}"
        )
    if len(given) != len(names):
        raise ValueError(
            f"Provided `{what}` was a list of {len(given)} elements, but the model has "
            f"{len(names)} outputs. You should provide one `{what}`array per model "
            "output."
        )
    return list(given)


def weights_of(y, sample_weight, class_weight, mode):
    """One weight for each sample (or time step); None where all are equal.

    Raises:
        ValueError: the weights do not fit the targets.
    """
    if isinstance(sample_weight, tuple):
        sample_weight = sample_weight[0]
    if mode is not None:
        _check_temporal(y, sample_weight, mode)
    elif sample_weight is not None and len(sample_weight.shape) != 1:
        raise ValueError(
            f"Found a sample_weight array with shape {sample_weight.shape}. In order "
            "to use timestep-wise sample weights, you should specify "
            'sample_weight_mode="temporal" in compile(). If you just mean to use '
            "sample-wise weights, make sure your sample_weight array is 1D."
        )
    if sample_weight is not None:
        return _fitting(y, sample_weight)
    return _of_classes(y, class_weight) if isinstance(class_weight, dict) else None


def _check_temporal(y, sample_weight, mode):
    if mode != "temporal":
        raise ValueError(
            f'"sample_weight_mode should be None or "temporal". Found: {mode}'
        )
    if len(y.shape) < 3:
        raise ValueError(
            f"Found a sample_weight array for an input with shape {y.shape}. "
            'Timestep-wise sample weighting (use of sample_weight_mode="temporal") is '
            "restricted to outputs that are at least 3D, i.e. that have a time "
            "dimension."
        )
    if sample_weight is not None and len(sample_weight.shape) != 2:
        raise ValueError(
            f"Found a sample_weight array with shape {sample_weight.shape}. In order "
            "to use timestep-wise sample weighting, you should pass a 2D sample_weight "
            "array."
        )


def _fitting(y, weight):
    if len(weight.shape) > len(y.shape):
        raise ValueError(
            f"Found a sample_weight with shape{weight.shape}.Expected sample_weight "
            f"with rank less than or equal to {len(y.shape)}"
        )
    if isinstance(weight, np.ndarray) and y.shape[: weight.ndim] != weight.shape:
        raise ValueError(
            f"Found a sample_weight array with shape {weight.shape} for an input with "
            f"shape {y.shape}. sample_weight cannot be broadcast."
        )
    return weight


def _of_classes(y, class_weight):
    if len(y.shape) > 2:
        raise ValueError("`class_weight` not supported for 3+ dimensional targets.")
    y = y if isinstance(y, np.ndarray) else y.numpy()
    classes = np.argmax(y, axis=1) if y.shape[1] > 1 else np.reshape(y, y.shape[0])
    found = [class_weight[c] for c in classes if c in class_weight]
    if len(found) != len(classes):
        raise ValueError(
            "`class_weight` must contain all classes in the data. The classes "
            f"{set(classes.tolist()) - set(class_weight)} exist in the data but not in "
            "`class_weight`."
        )
    return np.asarray(found)


# ------------------------------------------------------------------ together
def _lengths(arrays):
    found = {x.shape[0] for x in arrays if isinstance(x, np.ndarray)}
    return sorted(found)


def check_lengths(inputs, targets, weights):
    """Raise ValueError where arrays have different numbers of samples."""
    xs, ys, ws = _lengths(inputs), _lengths(targets), _lengths(weights)
    for lengths, arrays, what in (
        (xs, inputs, "input arrays (x)"),
        (ys, targets, "target arrays (y)"),
        (ws, weights, "sample_weight arrays"),
    ):
        if len(lengths) > 1:
            raise advised(
                ValueError,
                f"All {what} should have the same number of samples. Got array shapes: "
                f"{[x.shape for x in arrays]}",
            )
    if xs and ys and xs != ys:
        raise advised(
            ValueError,
            "Input arrays should have the same number of samples as target arrays. "
            f"Found {xs[0]} input samples and {ys[0]} target samples.",
        )
    if ys and ws and ys != ws:
        raise advised(
            ValueError,
            "Sample_weight arrays should have the same number of samples as target "
            f"arrays. Got {ys[0]} input samples and {ws[0]} target samples.",
        )


_SAME_SHAPE = (
    losses.mean_squared_error, losses.binary_crossentropy,
    losses.categorical_crossentropy,
)  # fmt: skip


def check_targets(targets, functions, shapes):
    """Raise ValueError where targets are not what a loss expects."""
    for y, function, shape in zip(targets, functions, shapes, strict=True):
        if y is None or function is None or is_tensor(y):
            continue
        if function is losses.categorical_crossentropy and y.shape[-1] == 1:
            raise ValueError(
                f"You are passing a target array of shape {y.shape} while using as "
                "loss `categorical_crossentropy`. `categorical_crossentropy` expects "
                "targets to be binary matrices (1s and 0s) of shape (samples, "
                "classes). If your targets are integer classes, you can convert them "
                "to the expected format via:\n```\nfrom keras.utils import "
                "to_categorical\ny_binary = to_categorical(y_int)\n```\n\n"
                "Alternatively, you can use the loss function "
                "`sparse_categorical_crossentropy` instead, which does expect integer "
                "targets."
            )
        if function in _SAME_SHAPE:
            _check_same(y, function, shape)


def _check_same(y, function, shape):
    for size, wanted in zip(y.shape[1:], (shape or ())[1:], strict=False):
        if wanted is not None and size != wanted:
            raise ValueError(
                f"A target array with shape {y.shape} was passed for an output of "
                f"shape {tuple(shape)} while using as loss `{function.__name__}`. This "
                "loss expects targets to have the same shape as the output."
            )


def target_shape(output_shape, function):
    """The shape of the targets for a loss; None where the loss is not known."""
    if function is losses.sparse_categorical_crossentropy:
        return (*output_shape[:-1], 1)
    known = getattr(function, "__name__", None)
    return tuple(output_shape) if losses.BY_NAME.get(known) else None


# ------------------------------------------------------------------ steps
def needs_steps(data, steps, name, iterator):
    """Whether the number of steps must be given, as it is for tensors and iterators.

    Raises:
        ValueError: it must, and it is not.
    """
    empty = data is None or (isinstance(data, list) and not data)
    if not (empty or iterator or is_symbolic(data)):
        return False
    if steps is None:
        kind = "iterators" if iterator else "data tensors"
        raise ValueError(
            f"When using {kind} as input to a model, you should specify the `{name}` "
            "argument."
        )
    return True


def check_iterator_alone(x, y, sample_weight, validation_split=None):
    """Raise ValueError where targets or weights are given beside a dataset."""
    if y is not None:
        raise ValueError(
            f"You passed a dataset or dataset iterator ({x}) as input `x` to your "
            "model. In that case, you should not specify a target (`y`) argument, "
            "since the dataset or dataset iterator generates both input data and "
            f"target data. Received: {y}"
        )
    if sample_weight is not None:
        raise ValueError(
            "`sample_weight` argument is not supported when input `x` is a dataset or "
            "a dataset iterator. Instead, youcan provide sample_weight as the third "
            "element  of yourdataset, i.e. (inputs, targets, sample_weight). Received: "
            f"x={x}, sample_weight={sample_weight}"
        )
    if validation_split:
        raise ValueError(
            "`validation_split` argument is not supported when input `x` is a dataset "
            f"or a dataset iterator. Received: x={x}, "
            f"validation_split={validation_split:f}"
        )
