"""Batches of pictures: from arrays, and from folders."""

import os
from typing import Any

import numpy as np

from twinflow.keras.backend import defaults
from twinflow.keras.preprocessing.image_files import (
    array_to_img,
    img_to_array,
    load_img,
)
from twinflow.keras.utils.data_sequence import Sequence

_ENDS = (".png", ".jpg", ".jpeg", ".bmp", ".ppm", ".tif", ".tiff")


class Iterator(Sequence):
    """The base: numbers of pictures in batches, again and again.

    Args:
        n: of pictures. batch_size: of a batch. shuffle: whether to mix them.
        seed: for mixing; None = by chance.
    """

    def __init__(self, n: Any, batch_size: Any, shuffle: Any, seed: Any) -> None:
        self.n, self.batch_size, self.shuffle, self.seed = n, batch_size, shuffle, seed
        self.batch_index = self.total_batches_seen = 0
        self.index_array = None

    def _mix(self):
        rows = np.arange(self.n)
        self.index_array = np.random.permutation(self.n) if self.shuffle else rows

    def __len__(self):
        return -(-self.n // self.batch_size)

    def __getitem__(self, index):
        if index >= len(self):
            raise ValueError(
                f"Asked to retrieve element {index}, but the Sequence has length "
                f"{len(self)}"
            )
        return self._batch(index, self.index_array is None)

    def _batch(self, index, mix):
        """A batch; the seed counts for its changes, and for mixing before it."""
        if self.seed is not None:
            np.random.seed(self.seed + self.total_batches_seen)
        self.total_batches_seen += 1
        if mix:
            self._mix()
        first = self.batch_size * index
        return self._get_batches_of_transformed_samples(
            self.index_array[first : first + self.batch_size]
        )

    def on_epoch_end(self) -> Any:
        """Mix the pictures anew."""
        self._mix()

    def reset(self) -> Any:
        """Begin with the first batch."""
        self.batch_index = 0

    def __iter__(self):
        return self

    def __next__(self) -> Any:
        index = self.batch_index
        self.batch_index = (index + 1) % len(self)
        return self._batch(index, mix=index == 0)

    next = __next__

    def _get_batches_of_transformed_samples(self, index_array):
        raise NotImplementedError(f"{type(self).__name__} does not make batches.")

    def _save_to(self, folder, prefix, form, data_format):
        """Where `_saved` writes pictures; None = nowhere."""
        self.save_to_dir, self.save_prefix, self.save_format = folder, prefix, form
        self.data_format = data_format or defaults.image_data_format()

    def _saved(self, batch, numbers):
        """The batch; its pictures are written where they are asked for."""
        if not self.save_to_dir:
            return batch
        for number, picture in zip(numbers, batch, strict=True):
            chance = np.random.randint(10**7)
            name = f"{self.save_prefix}_{number}_{chance}.{self.save_format}"
            image = array_to_img(picture, self.data_format)
            image.save(os.path.join(self.save_to_dir, name))
        return batch

    def _changed(self, picture):
        """A picture as the generator changes it."""
        generator = self.image_data_generator
        parameters = generator.get_random_transform(picture.shape)
        picture = generator.apply_transform(picture.astype(self.dtype), parameters)
        return generator.standardize(picture)


class NumpyArrayIterator(Iterator):
    """Batches of an array of pictures; see ImageDataGenerator.flow.

    Raises:
        ValueError: the lengths differ, or x does not have four axes.
    """

    def __init__(
        self, x: Any, y: Any, image_data_generator: Any, batch_size: Any = 32,
        shuffle: bool = False, sample_weight: Any = None, seed: Any = None,
        data_format: Any = None, save_to_dir: Any = None, save_prefix: Any = "",
        save_format: Any = "png", subset: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        self.dtype = dtype or defaults.floatx()
        self._save_to(save_to_dir, save_prefix, save_format, data_format)
        x, others = x if isinstance(x, list | tuple) else (x, [])
        x, others = np.asarray(x), others if isinstance(others, list) else [others]
        self._check_lengths(x, y, sample_weight, others)
        part = image_data_generator.part(len(x), subset)
        self.x = x[part].astype(self.dtype)
        self.x_misc = [np.asarray(other)[part] for other in others]
        self.y = None if y is None else np.asarray(y)[part]
        weights = sample_weight
        self.sample_weight = None if weights is None else np.asarray(weights)[part]
        self.image_data_generator = image_data_generator
        super().__init__(len(self.x), batch_size, shuffle, seed)

    def _check_lengths(self, x, y, sample_weight, others):
        for name, other in (("labels", y), ("sample_weight", sample_weight)):
            if other is not None and len(other) != len(x):
                raise ValueError(
                    f"`x` (images tensor) and `y` ({name}) should have the same length."
                    f" Found: x.shape = {x.shape}, y.shape = {np.shape(other)}"
                )
        if any(len(other) != len(x) for other in others):
            raise ValueError(
                "All of the arrays in `x` should have the same length. Found a pair "
                f"with: len(x[0]) = {len(x)}, len(x[?]) = {list(map(len, others))}"
            )
        if x.ndim != 4:
            raise ValueError(
                "Input data in `NumpyArrayIterator` should have rank 4. You passed an "
                "array with shape",
                x.shape,
            )

    def _get_batches_of_transformed_samples(self, index_array):
        batch = np.stack([self._changed(self.x[i]) for i in index_array])
        batch = self._saved(batch, index_array)
        if self.x_misc:
            batch = [batch, *(other[index_array] for other in self.x_misc)]
        if self.y is None:
            return batch
        found = [batch, self.y[index_array]]
        if self.sample_weight is not None:
            found.append(self.sample_weight[index_array])
        return tuple(found)


class DirectoryIterator(Iterator):
    """Batches of the pictures in folders, a folder for each class.

    Args: see ImageDataGenerator.flow_from_directory.
    """

    def __init__(
        self, directory: Any, image_data_generator: Any, target_size: Any = (256, 256),
        color_mode: Any = "rgb", classes: Any = None, class_mode: Any = "categorical",
        batch_size: Any = 32, shuffle: bool = True, seed: Any = None,
        data_format: Any = None, save_to_dir: Any = None, save_prefix: Any = "",
        save_format: Any = "png", follow_links: bool = False, subset: Any = None,
        interpolation: Any = "nearest", dtype: Any = None,
    ) -> None:  # fmt: skip
        if class_mode not in ("categorical", "binary", "sparse", "input", None):
            raise ValueError(
                f"Invalid class_mode: {class_mode}; expected one of categorical, "
                "binary, sparse, input or None."
            )
        self.dtype, self.directory = dtype or defaults.floatx(), directory
        self.image_data_generator = image_data_generator
        self.target_size, self.color_mode = tuple(target_size), color_mode
        self.class_mode, self.interpolation = class_mode, interpolation
        self._save_to(save_to_dir, save_prefix, save_format, data_format)
        self.image_shape = _shape(self.target_size, color_mode, self.data_format)
        names = classes or sorted(e.name for e in os.scandir(directory) if e.is_dir())
        self.class_indices = {name: i for i, name in enumerate(names)}
        self.filenames, numbers = [], []
        for name, number in self.class_indices.items():
            files = _files(directory, name, follow_links)
            files = np.array(files, object)[
                image_data_generator.part(len(files), subset)
            ]
            self.filenames += list(files)
            numbers += [number] * len(files)
        self.classes, self.num_classes = np.array(numbers, "int32"), len(names)
        self.samples = len(self.filenames)
        print(f"Found {self.samples} images belonging to {self.num_classes} classes.")
        super().__init__(self.samples, batch_size, shuffle, seed)

    def _read(self, i):
        path = os.path.join(self.directory, self.filenames[i])
        image = load_img(
            path, color_mode=self.color_mode, target_size=self.target_size,
            interpolation=self.interpolation,
        )  # fmt: skip
        return img_to_array(image, self.data_format, self.dtype)

    def _get_batches_of_transformed_samples(self, index_array):
        batch = np.stack([self._changed(self._read(i)) for i in index_array])
        batch = self._saved(batch, index_array)
        if self.class_mode is None:
            return batch
        if self.class_mode == "input":
            return batch, batch.copy()
        labels = self.classes[index_array]
        if self.class_mode == "categorical":
            return batch, np.eye(self.num_classes, dtype=self.dtype)[labels]
        return batch, labels.astype(self.dtype)


def _shape(size, color_mode, data_format):
    """The shape of a picture."""
    channels = {"rgba": 4, "rgb": 3, "grayscale": 1}.get(color_mode)
    if channels is None:
        raise ValueError(
            f"Invalid color mode: {color_mode}; expected 'rgb', 'rgba', or 'grayscale'."
        )
    first = data_format == "channels_first"
    return (channels, *size) if first else (*size, channels)


def _files(directory, name, follow_links):
    """The paths of the pictures of a class, from `directory`."""
    found = []
    for root, _, files in sorted(
        os.walk(os.path.join(directory, name), followlinks=follow_links)
    ):
        for file in sorted(files):
            if file.lower().endswith(_ENDS):
                path = os.path.join(root, file)
                found.append(os.path.relpath(path, directory))
    return found
