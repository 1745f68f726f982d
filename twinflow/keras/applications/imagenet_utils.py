"""Images as the networks of ImageNet take them, and what their outputs mean."""

import functools
import json
from typing import Any

import numpy as np

from twinflow.keras.backend import defaults
from twinflow.keras.utils.data_files import get_file
from twinflow.ops.core.constant import constant

_CLASSES = "imagenet_class_index.json"
_CLASSES_ORIGIN = (
    "https://storage.googleapis.com/download.tensorflow.org/data/" + _CLASSES
)
_CLASSES_HASH = "c2c37ea517e94d9795004a39431a14cb"
_MEAN = (0.485, 0.456, 0.406)  # of ImageNet: red, green, blue
_DEVIATION = (0.229, 0.224, 0.225)
_MEAN_OF_BYTES = (103.939, 116.779, 123.68)  # of ImageNet: blue, green, red


def preprocess_input(
    x: Any, data_format: str | None = None, mode: str = "caffe"
) -> Any:
    """Pixels from 0 to 255 as a network was trained with them.

    "caffe": channels turned from RGB to BGR, x - mean.
    "tf": x / 127.5 - 1, from -1 to 1.
    "torch": (x / 255 - mean) / deviation, of each channel.

    Args:
        x: [batch, height, width, 3] or [height, width, 3], a tensor or an array.
            An array of floats is written over; give `x.copy()` to keep it.
        data_format: "channels_last", "channels_first"; the default of the backend.
        mode: "caffe", "tf" or "torch".
    Returns:
        float of the shape of x
    Raises:
        ValueError: the data format is not known.
    Example:
        preprocess_input = tf.keras.applications.vgg16.preprocess_input
        preprocess_input(np.full([1, 1, 3], 255.0), mode="tf")  # [[[1.0, 1.0, 1.0]]]
    """
    data_format = data_format or defaults.image_data_format()
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(f"Unknown data_format {data_format}")
    over = isinstance(x, np.ndarray)
    if over and not np.issubdtype(x.dtype, np.floating):
        x = x.astype(defaults.floatx())
    if mode == "tf":
        x = _divided(x, 127.5, over)
        return _added(x, -1.0, over)
    first = data_format == "channels_first"
    if mode == "torch":
        x = _divided(x, 255.0, over)
        x = _added(x, _channels(x, [-m for m in _MEAN], first), over)
        return _divided(x, _channels(x, _DEVIATION, first), over)
    flipped = [slice(None)] * len(x.shape)
    flipped[-3 if first else -1] = slice(None, None, -1)
    x = x[tuple(flipped)]
    return _added(x, _channels(x, [-m for m in _MEAN_OF_BYTES], first), over)


def _channels(x, values, first):
    """One value a channel, to be combined with x."""
    values = np.reshape(np.asarray(values), (3, 1, 1) if first else (3,))
    if isinstance(x, np.ndarray):
        return values.astype(x.dtype)
    return constant(values, x.dtype.base_dtype)


def _added(x, y, over):
    """x + y, written over x."""
    return np.add(x, y, out=x) if over else x + y


def _divided(x, y, over):
    """x / y, written over x."""
    return np.divide(x, y, out=x) if over else x / y


def decode_predictions(preds: Any, top: int = 5) -> list[list[Any]]:
    """The names of the likeliest classes.

    Args:
        preds: float[batch, 1000], probabilities. top: how many of each.
    Returns:
        for each image a list of (id in WordNet, name, probability), likeliest first,
        like ("n02504458", "African_elephant", 0.9)
    Raises:
        ValueError: the shape is another. NotFoundError: the list of the classes is
            not in ~/.keras/models.
    """
    if len(preds.shape) != 2 or preds.shape[1] != 1000:
        raise ValueError(
            "`decode_predictions` expects a batch of predictions (i.e. a 2D array of "
            f"shape (samples, 1000)). Found array with shape: {preds.shape}"
        )
    names = _classes(
        get_file(
            _CLASSES, _CLASSES_ORIGIN, cache_subdir="models", md5_hash=_CLASSES_HASH
        )
    )
    results = []
    for row in np.asarray(preds):
        best = np.argsort(row)[::-1][:top]
        results.append([(*names[str(i)], row[i]) for i in best])
    return results


@functools.cache
def _classes(path):
    with open(path) as file:
        return json.load(file)
