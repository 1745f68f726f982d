"""What every architecture does alike: checks, the input, the head, the weights.

Note [Applications]: every function of tf.keras.applications takes
    include_top: whether the network ends with its classifier.
    weights: None = drawn at random; "imagenet" = from the usual file in
        ~/.keras/models; or the path of an HDF5 file or of a checkpoint.
    input_tensor: a tensor that the network takes; a new Input if not given.
    input_shape: of one image, as (224, 224, 3).
    pooling: without the top, "avg" or "max" over the image; None = no pooling.
    classes: how many classes the top tells apart.
and returns a Model. The names of its layers and the order of its weights are those of
Keras: the files of weights are read by them. Layers without a name of their own are
numbered as they are made, so even the order of the lines in an architecture counts.
"""

import inspect
import os
from typing import Any

from twinflow.base.frames import warn_user
from twinflow.base.written import public_form
from twinflow.keras.backend import defaults
from twinflow.keras.backend.variables import is_keras_tensor
from twinflow.keras.engine.functional import get_source_inputs
from twinflow.keras.engine.input_layer import Input
from twinflow.keras.engine.model import Model
from twinflow.keras.layers.core import Dense
from twinflow.keras.layers.pooling import GlobalAveragePooling2D, GlobalMaxPooling2D
from twinflow.keras.utils.data_files import get_file

_KERAS = "https://github.com/fchollet/deep-learning-models/releases/download/"
_TEXT = """{title}; images of {size}x{size}, at least {least}x{least}.

    Args:
        see Note [Applications].
    Returns:
        a Model
    Raises:
        ValueError: an argument does not fit.
    Example:
        model = tf.keras.applications.{name}(
            weights=None, input_shape=({least}, {least}, 3), classes=10)
        model.output_shape  # (None, 10)
    {reference}
    """


def application(model: Any, size: Any, least: Any, hashes: Any, origin: Any) -> Any:
    """A decorator: the function of tf.keras.applications of an architecture.

    The decorated function takes a Frame and gives the output. Its docstring says what
    the network is called, and where it was published.

    Args:
        model: its name. size, least: see Frame.
        hashes: of the files of weights with the top and without.
        origin: where these come from; a release, if from the repository of Keras.
    """
    files = [
        (f"{model}_weights_tf_dim_ordering_tf_kernels{end}.h5", digest)
        for end, digest in zip(("", "_notop"), hashes, strict=True)
    ]
    origin = f"{_KERAS}{origin}/" if origin.startswith("v") else origin

    def decorate(ended):
        def run(arguments):
            frame = Frame(size, least, **arguments)
            return frame.model(ended(frame), model, origin, *files)

        doc = inspect.cleandoc(ended.__doc__)  # as Python 3.13 and later have it
        name, (title, _, reference) = ended.__name__, doc.partition("\n\n")
        arguments = inspect.signature(_arguments).parameters.values()
        text = inspect.cleandoc(_TEXT).format(
            title=title, size=size, least=least, name=name, reference=reference.strip()
        )
        return public_form(ended, arguments, run, doc=text)

    return decorate


def _arguments(
    include_top=True, weights="imagenet", input_tensor=None, input_shape=None,
    pooling=None, classes=1000,
):  # fmt: skip
    """What most functions take; see Note [Applications]."""


class Frame:
    """An architecture's checked arguments and its two ends; see Note [Applications].

    Args:
        size, least: height and width of the usual image and of the smallest one.
        flat: whether the size of the image must be known; if not given, `include_top`.
    Attributes:
        shape: of one image. start: the tensor that the network takes.
    Raises:
        ValueError: an argument does not fit.
    """

    def __init__(
        self, size: Any, least: Any, include_top: Any, weights: Any, input_tensor: Any,
        input_shape: Any, pooling: Any, classes: Any, flat: Any = None,
    ) -> None:  # fmt: skip
        check_weights(weights, include_top, classes)
        self.include_top, self.weights = include_top, weights
        self.pooling, self.classes = pooling, classes
        flat = include_top if flat is None else flat
        self.shape = obtain_input_shape(
            input_shape, size, least, defaults.image_data_format(), flat, weights
        )
        self._tensor, self.start = input_tensor, input_tensor
        if input_tensor is None:
            self.start = Input(shape=self.shape)
        elif not is_keras_tensor(input_tensor):
            self.start = Input(tensor=input_tensor, shape=self.shape)

    def ended(
        self, x: Any, dense: Any = "predictions", top: Any = None, average: Any = None,
        largest: Any = None,
    ) -> Any:  # fmt: skip
        """The classifier upon features, or the features, pooled as asked.

        Args:
            x: float[batch, height, width, channels].
            dense: the name of the classifier. top, average, largest: those of the
                pooling before it, and of the two kinds of pooling without it.
        """
        if self.include_top:
            x = GlobalAveragePooling2D(name=top)(x)
            return Dense(self.classes, activation="softmax", name=dense)(x)
        return self.pooled(x, average, largest)

    def pooled(self, x: Any, average: Any = None, largest: Any = None) -> Any:
        """Features, pooled as asked."""
        if self.pooling == "avg":
            return GlobalAveragePooling2D(name=average)(x)
        if self.pooling == "max":
            return GlobalMaxPooling2D(name=largest)(x)
        return x

    def model(
        self, x: Any, name: Any, origin: Any, whole: Any, headless: Any,
        folder: Any = None,
    ) -> Any:  # fmt: skip
        """The model that ends at x, with its weights.

        Args:
            name: the model's. origin: where its files come from.
            whole, headless: (file name, hash) with the top and without.
            folder: the names of the two at the origin, if they are others.
        """
        inputs = self.start
        if self._tensor is not None:
            inputs = get_source_inputs(self._tensor)
        model = Model(inputs, x, name=name)
        if self.weights == "imagenet":
            file, digest = whole if self.include_top else headless
            there = folder[not self.include_top] if folder else file
            path = get_file(
                file, origin + there, cache_subdir="models", file_hash=digest
            )
            model.load_weights(path)
        elif self.weights is not None:
            model.load_weights(self.weights)
        return model


def check_weights(weights, include_top, classes):
    """See Note [Applications].

    Raises:
        ValueError: there is no such file, or it is of other classes.
    """
    known = weights is None or weights == "imagenet"
    if not (known or os.path.exists(weights) or os.path.exists(f"{weights}.index")):
        raise ValueError(
            "The `weights` argument should be either `None` (random initialization), "
            "`imagenet` (pre-training on ImageNet), or the path to the weights file to "
            "be loaded."
        )
    if weights == "imagenet" and include_top and classes != 1000:
        raise ValueError(
            'If using `weights` as `"imagenet"` with `include_top` as true, `classes` '
            "should be 1000"
        )


def obtain_input_shape(
    input_shape, default_size, min_size, data_format, require_flatten, weights=None
):
    """The checked shape of one image.

    Args:
        input_shape: as given, or None. default_size, min_size: of a side.
        data_format: where the channels are. require_flatten: whether it must be known.
        weights: "imagenet" wants three channels.
    Raises:
        ValueError: the shape is none of an image, too small or not known.
    """
    first = data_format == "channels_first"
    imagenet = weights == "imagenet"
    channels = 3
    if not imagenet and input_shape and len(input_shape) == 3:
        channels = input_shape[0 if first else -1]
        if channels not in (1, 3):
            warn_user(
                "This model usually expects 1 or 3 input channels. However, it was "
                f"passed an input_shape with {channels} input channels.",
            )
    usual = _image(first, channels, default_size)
    if imagenet and require_flatten:
        if input_shape is not None and tuple(input_shape) != usual:
            raise ValueError(
                "When setting `include_top=True` and loading `imagenet` weights, "
                f"`input_shape` should be {usual}."
            )
        return usual
    if not input_shape:
        return usual if require_flatten else _image(first, 3, None)
    _check_shape(input_shape, min_size, first, imagenet)
    if require_flatten and None in input_shape:
        raise ValueError(
            "If `include_top` is True, you should specify a static `input_shape`. Got "
            f"`input_shape={input_shape}`"
        )
    return input_shape


def _image(first, channels, side):
    return (channels, side, side) if first else (side, side, channels)


def _check_shape(shape, least, first, imagenet):
    """Raise ValueError unless this is an image of at least that size."""
    if len(shape) != 3:
        raise ValueError("`input_shape` must be a tuple of three integers.")
    if imagenet and shape[0 if first else -1] != 3:
        raise ValueError(f"The input must have 3 channels; got `input_shape={shape}`")
    sides = shape[1:] if first else shape[:2]
    if any(side is not None and side < least for side in sides):
        raise ValueError(
            f"Input size must be at least {least}x{least}; got `input_shape={shape}`"
        )
