"""ImageDataGenerator: batches of pictures that are changed by chance."""

import warnings
from typing import Any

import numpy as np

from twinflow.keras.backend import defaults
from twinflow.keras.preprocessing import image_warping
from twinflow.keras.preprocessing.image_iterators import (
    DirectoryIterator,
    NumpyArrayIterator,
)


class ImageDataGenerator:
    """Makes batches of pictures, changed by chance and then standardized.

    Args:
        featurewise_center, featurewise_std_normalization: subtract the mean of all
            pictures, divide by their deviation; see `fit`.
        samplewise_center, samplewise_std_normalization: those of each picture.
        zca_whitening, zca_epsilon: make the pixels independent of each other.
        rotation_range: degrees. width_shift_range, height_shift_range: shares (floats
            below 1), or pixels. brightness_range: a pair of factors.
        shear_range: degrees. zoom_range: a share, or a pair of factors.
        channel_shift_range: what is added at most. fill_mode, cval: what is outside.
        horizontal_flip, vertical_flip: whether to turn over every other picture.
        rescale: a factor. preprocessing_function: of one picture.
        data_format: "channels_last" or "channels_first".
        validation_split: the share that `subset="validation"` gives. dtype: floatx.
    Raises:
        ValueError: an argument is out of range.
    Example:
        generator = tf.keras.preprocessing.image.ImageDataGenerator(
            horizontal_flip=True)
        x, y = next(generator.flow(np.ones((6, 8, 8, 3)), np.arange(6), batch_size=4))
        x.shape  # (4, 8, 8, 3)
    """

    def __init__(
        self, featurewise_center: bool = False, samplewise_center: bool = False,
        featurewise_std_normalization: bool = False,
        samplewise_std_normalization: bool = False, zca_whitening: bool = False,
        zca_epsilon: Any = 1e-6, rotation_range: Any = 0, width_shift_range: Any = 0.0,
        height_shift_range: Any = 0.0, brightness_range: Any = None,
        shear_range: Any = 0.0, zoom_range: Any = 0.0, channel_shift_range: Any = 0.0,
        fill_mode: Any = "nearest", cval: Any = 0.0, horizontal_flip: bool = False,
        vertical_flip: bool = False, rescale: Any = None,
        preprocessing_function: Any = None, data_format: Any = None,
        validation_split: Any = 0.0, dtype: Any = None,
    ) -> None:  # fmt: skip
        given = dict(locals())
        del given["self"]
        self.__dict__.update(given)
        self.data_format = data_format or defaults.image_data_format()
        self.dtype = dtype or defaults.floatx()
        _check_settings(self.data_format, brightness_range)
        self._center_too()
        first = self.data_format == "channels_first"
        self.channel_axis, self.row_axis = (0, 1) if first else (2, 0)
        self.col_axis = self.row_axis + 1
        self.mean = self.std = self.principal_components = None
        if not 0 <= validation_split < 1:
            raise ValueError(
                "`validation_split` must be strictly between 0 and 1.  Received: "
                f"{validation_split}"
            )
        self.zoom_range = _pair(zoom_range)

    def _center_too(self):
        """What is divided or whitened is centered before."""
        asked = [
            name
            for name in ("zca_whitening", "featurewise_std_normalization")
            if getattr(self, name) and not self.featurewise_center
        ]
        for name in asked:
            self.featurewise_center = True
            warnings.warn(
                f"This ImageDataGenerator specifies `{name}`, which overrides setting "
                "of `featurewise_center`.",
                stacklevel=3,
            )
        if self.samplewise_std_normalization and not self.samplewise_center:
            self.samplewise_center = True
            warnings.warn(
                "This ImageDataGenerator specifies `samplewise_std_normalization`, "
                "which overrides setting of `samplewise_center`.",
                stacklevel=3,
            )

    def part(self, count: Any, subset: Any) -> Any:
        """Which of `count` pictures a subset has, a slice."""
        at = int(count * self.validation_split)
        parts = {"validation": slice(0, at), "training": slice(at, None)}
        if subset is None:
            return slice(None)
        if subset not in parts:
            raise ValueError(
                f"Invalid subset name: {subset}; expected 'training' or 'validation'"
            )
        return parts[subset]

    # ------------------------------------------------------------------ batches
    def flow(
        self, x: Any, y: Any = None, batch_size: Any = 32, shuffle: bool = True,
        sample_weight: Any = None, seed: Any = None, save_to_dir: Any = None,
        save_prefix: Any = "", save_format: Any = "png", subset: Any = None,
    ) -> Any:  # fmt: skip
        """Batches of an array.

        Args:
            x: [n, height, width, channels], or a pair of that and other inputs, which
                are cut as they are. y: the labels. batch_size: of a batch.
            shuffle: whether to mix them. sample_weight: of each. seed: for chance.
            save_to_dir: a folder to write the pictures of the batches to, or None.
            save_prefix, save_format: how the files' names begin and end.
            subset: "training" or "validation".
        """
        return NumpyArrayIterator(
            x, y, self, batch_size, shuffle, sample_weight, seed, self.data_format,
            save_to_dir, save_prefix, save_format, subset, self.dtype,
        )  # fmt: skip

    def flow_from_directory(
        self, directory: Any, target_size: Any = (256, 256), color_mode: Any = "rgb",
        classes: Any = None, class_mode: Any = "categorical", batch_size: Any = 32,
        shuffle: bool = True, seed: Any = None, save_to_dir: Any = None,
        save_prefix: Any = "", save_format: Any = "png", follow_links: bool = False,
        subset: Any = None, interpolation: Any = "nearest",
    ) -> Any:  # fmt: skip
        """Batches of the files in folders, one for each class; needs Pillow.

        Args:
            directory: the folder of the folders. target_size: (height, width).
            color_mode, interpolation: see load_img. classes: the names of folders.
            class_mode: "categorical", "binary", "sparse", "input" or None.
            follow_links: whether to look into folders behind links.
            the others: see `flow`.
        """
        return DirectoryIterator(
            directory, self, target_size, color_mode, classes, class_mode, batch_size,
            shuffle, seed, self.data_format, save_to_dir, save_prefix, save_format,
            follow_links, subset, interpolation, self.dtype,
        )  # fmt: skip

    # ------------------------------------------------------------------ chance
    def get_random_transform(self, img_shape: Any, seed: Any = None) -> Any:
        """What to do with a picture of a shape, a dict.

        The numbers are drawn in the order of Keras, only those that are asked for: a
        seed gives what it gives there.
        """
        if seed is not None:
            np.random.seed(seed)
        low, high = self.zoom_range
        bright = self.brightness_range
        found = {"theta": _within(self.rotation_range)}
        found["tx"] = _shift(self.height_shift_range, img_shape[self.row_axis])
        found["ty"] = _shift(self.width_shift_range, img_shape[self.col_axis])
        found["shear"] = _within(self.shear_range)
        same = low == high == 1
        zooms = (1, 1) if same else np.random.uniform(low, high, 2).tolist()
        found["zx"], found["zy"] = zooms
        found["flip_horizontal"] = (np.random.random() < 0.5) * self.horizontal_flip
        found["flip_vertical"] = (np.random.random() < 0.5) * self.vertical_flip
        found["channel_shift_intensity"] = _within(self.channel_shift_range, None)
        found["brightness"] = None if bright is None else np.random.uniform(*bright)
        return found

    def apply_transform(self, x: Any, transform_parameters: Any) -> Any:
        """A picture changed as get_random_transform says."""
        todo = transform_parameters
        moves = {k: todo[k] for k in ("theta", "tx", "ty", "shear", "zx", "zy")
                 if k in todo}  # fmt: skip
        x = image_warping.apply_affine_transform(
            x, **moves, row_axis=self.row_axis, col_axis=self.col_axis,
            channel_axis=self.channel_axis, fill_mode=self.fill_mode, cval=self.cval,
        )  # fmt: skip
        if todo.get("channel_shift_intensity") is not None:
            x = image_warping.apply_channel_shift(x, todo["channel_shift_intensity"])
        if todo.get("flip_horizontal"):
            x = np.flip(x, self.col_axis)
        if todo.get("flip_vertical"):
            x = np.flip(x, self.row_axis)
        if todo.get("brightness") is not None:
            x = image_warping.apply_brightness_shift(x, todo["brightness"])
        return x

    def random_transform(self, x: Any, seed: Any = None) -> Any:
        """A picture changed by chance."""
        return self.apply_transform(x, self.get_random_transform(x.shape, seed))

    # ------------------------------------------------------------------ numbers
    def standardize(self, x: Any) -> Any:
        """A picture (or batch) with the numbers that the model is to see."""
        if self.preprocessing_function:
            x = self.preprocessing_function(x)
        if self.rescale:
            x = x * self.rescale
        if self.samplewise_center:
            x = x - np.mean(x, keepdims=True)
        if self.samplewise_std_normalization:
            x = x / (np.std(x, keepdims=True) + 1e-6)
        if self.featurewise_center and self._fitted("mean"):
            x = x - self.mean
        if self.featurewise_std_normalization and self._fitted("std"):
            x = x / (self.std + 1e-6)
        if self.zca_whitening and self._fitted("principal_components"):
            size = int(np.prod(x.shape[-3:]))
            x = (x.reshape(-1, size) @ self.principal_components).reshape(x.shape)
        return x

    def _fitted(self, name):
        """Whether `fit` has found a number; warns if it has not."""
        if getattr(self, name) is None:
            warnings.warn(
                f"This ImageDataGenerator needs its `{name}`, but it hasn't been fit "
                "on any training data. Fit it first by calling `.fit(numpy_data)`.",
                stacklevel=3,
            )
            return False
        return True

    def fit(
        self, x: Any, augment: bool = False, rounds: Any = 1, seed: Any = None
    ) -> Any:
        """Find the mean and deviation of pictures.

        Args:
            x: [n, height, width, channels]. augment: whether to change them by chance.
            rounds: how often each is changed. seed: for chance.
        Raises:
            ValueError: x does not have four axes.
        """
        x = np.array(x, self.dtype)
        if x.ndim != 4:
            raise ValueError(
                f"Input to `.fit()` should have rank 4. Got array with shape: {x.shape}"
            )
        if seed is not None:
            np.random.seed(seed)
        if augment:
            x = np.stack([self.random_transform(p) for _ in range(rounds) for p in x])
        axes = tuple(a for a in range(4) if a != self.channel_axis + 1)
        if self.featurewise_center:
            self.mean = np.mean(x, axes, keepdims=True)[0]
            x = x - self.mean
        if self.featurewise_std_normalization:
            self.std = np.std(x, axes, keepdims=True)[0]
            x = x / (self.std + 1e-6)
        if self.zca_whitening:
            flat = x.reshape(len(x), -1)
            u, s, _ = np.linalg.svd(flat.T @ flat / len(flat))
            self.principal_components = (u / np.sqrt(s + self.zca_epsilon)) @ u.T


def _pair(zoom):
    if np.isscalar(zoom):
        return 1 - zoom, 1 + zoom
    if len(zoom) == 2:
        return tuple(zoom)
    raise ValueError(
        f"`zoom_range` should be a float or a tuple or list of two floats. Received: "
        f"{zoom}"
    )


def _check_settings(data_format, brightness):
    """Raise ValueError unless these are known."""
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError(
            '`data_format` should be `"channels_last"` (channel after row and column) '
            'or `"channels_first"` (channel before row and column). Received: '
            f"{data_format}"
        )
    pair = brightness is None or (np.ndim(brightness) and len(brightness) == 2)
    if not pair:
        raise ValueError(
            "`brightness_range should be tuple or list of two floats. Received: "
            f"{brightness}"
        )


def _within(limit, nothing=0):
    """A number up to `limit` away from 0; `nothing` where there is no limit."""
    return np.random.uniform(-limit, limit) if limit else nothing


def _shift(given, size):
    """A shift in pixels: one of a list or below an int, or up to a float.

    What is below 1 is a share of the size.
    """
    if np.ndim(given) == 0 and not given:
        return 0
    if np.ndim(given) or isinstance(given, int | np.integer):
        shift = np.random.choice(given)
        shift = np.multiply(shift, np.random.choice([-1, 1])).item()
    else:
        shift = np.random.uniform(-given, given)
    return shift * size if np.max(given) < 1 else shift
