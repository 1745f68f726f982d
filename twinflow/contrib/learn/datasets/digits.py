"""The handwritten digits of MNIST, from files on this machine."""

import gzip
import os
from typing import Any

import numpy as np

from twinflow.base import dtypes, errors, known_files
from twinflow.base.damage import reported
from twinflow.contrib.learn.datasets.tables import Datasets
from twinflow.ops.random.streams import get_seed

SOURCE = DEFAULT_SOURCE_URL = "https://storage.googleapis.com/cvdf-datasets/mnist/"
_FILES = [
    "train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz",
    "t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz",
]  # fmt: skip
_IMAGES, _LABELS = 2051, 2049  # the first number of a file says what it holds


class DataSet:
    """Images and labels, handed out in shuffled batches.

    Args:
        images: uint8[n, rows, columns, 1]. labels: [n] or one-hot [n, classes].
        fake_data: hand out made-up digits; one_hot says which labels then.
        dtype: tf.uint8, or tf.float32 for pixels from 0 to 1.
        reshape: make a row of each image.
        seed: of the shuffling; the graph's seed is taken as well.
    """

    def __init__(
        self, images: Any, labels: Any, fake_data: bool = False, one_hot: bool = False,
        dtype: Any = dtypes.float32, reshape: bool = True, seed: Any = None,
    ) -> None:  # fmt: skip
        first, second = get_seed(seed)
        np.random.seed(first if seed is None else second)
        dtype = dtypes.as_dtype(dtype).base_dtype
        if dtype not in (dtypes.uint8, dtypes.float32):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        self.one_hot, self._fake = one_hot, fake_data
        self._images, self._labels = images, labels
        self._next, self._epochs = 0, 0
        if fake_data:
            self._num_examples = 10000
        else:
            self._prepare(dtype, reshape)

    def _prepare(self, dtype, reshape):
        images, n = self._images, len(self._images)
        if n != len(self._labels):
            raise ValueError(f"{n} images, but {len(self._labels)} labels.")
        self._num_examples = n
        if reshape:
            images = images.reshape(n, images.shape[1] * images.shape[2])
        if dtype is dtypes.float32:
            images = images.astype(np.float32) * np.float32(1 / 255)
        self._images = images

    images = property(lambda self: self._images)
    labels = property(lambda self: self._labels)
    num_examples = property(lambda self: self._num_examples)
    epochs_completed = property(lambda self: self._epochs)

    def next_batch(
        self, batch_size: int, fake_data: bool = False, shuffle: bool = True
    ) -> tuple[Any, Any]:
        """The next `batch_size` images and labels.

        An epoch's last batch is filled up from the next epoch, shuffled anew.

        Returns:
            (images, labels)
        """
        if fake_data:
            return self._made_up(batch_size)
        if not self._epochs and not self._next and shuffle:
            self._shuffle()
        start, end = self._next, self._next + batch_size
        if end <= self._num_examples:
            self._next = end
            return self._images[start:end], self._labels[start:end]
        images, labels = self._images[start:], self._labels[start:]
        self._epochs += 1
        if shuffle:
            self._shuffle()
        self._next = end - self._num_examples
        return (
            np.concatenate((images, self._images[: self._next])),
            np.concatenate((labels, self._labels[: self._next])),
        )

    def _shuffle(self):
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]

    def _made_up(self, n):
        label = [1] + [0] * 9 if self.one_hot else 0
        return [[1] * 784 for _ in range(n)], [label for _ in range(n)]


def _numbers(file, count):
    return np.frombuffer(file.read(4 * count), ">u4").tolist()


def _content(f, magic, sizes, what):
    """The bytes behind the head of an IDX file, in the shape that the head gives."""
    name = getattr(f, "name", f"the MNIST {what} file")
    with reported(str(name)), gzip.GzipFile(fileobj=f) as file:
        found = _numbers(file, 1)
        if found != [magic]:
            raise ValueError(
                f"Invalid magic number {(found or [None])[0]} in MNIST {what} file: "
                f"{getattr(f, 'name', f)}"
            )
        shape = _numbers(file, sizes)
        return np.frombuffer(file.read(), np.uint8).reshape(shape)


def extract_images(f: Any) -> Any:
    """The images of a gzipped IDX file that is open.

    Returns:
        uint8[n, rows, columns, 1]
    Raises:
        ValueError: the file does not hold images.
    """
    print("Extracting", f.name)
    return _content(f, _IMAGES, 3, "image")[..., np.newaxis]


def extract_labels(f: Any, one_hot: bool = False, num_classes: int = 10) -> Any:
    """The labels of a gzipped IDX file that is open.

    Returns:
        uint8[n], or float64[n, num_classes] if `one_hot`
    Raises:
        ValueError: the file does not hold labels.
    """
    print("Extracting", f.name)
    labels = _content(f, _LABELS, 1, "label")
    return dense_to_one_hot(labels, num_classes) if one_hot else labels


def dense_to_one_hot(labels_dense: Any, num_classes: int) -> Any:
    """Labels as rows of zeros with one 1."""
    return np.eye(num_classes)[np.ravel(labels_dense)]


def maybe_download(filename: str, work_directory: str, source_url: str) -> str:
    """The path of a file that must be there: twinflow loads nothing from the network.

    Under `twinflow run --sample-data` it may be that of a look-alike.

    Raises:
        NotFoundError: it is not there; the text says where to put it.
    """
    path = os.path.join(work_directory, filename)
    if os.path.exists(path):
        return path
    url = str(source_url)
    url = url if url.endswith(filename) else url + filename
    sample = known_files.stand_in(path, url)
    if sample is not None:
        return sample
    folder, found = os.path.abspath(work_directory), known_files.known(path, url)
    missing = f"There is no {filename} in {folder}, and twinflow downloads nothing: "
    text = f"get {url} and put it there."
    if found is not None:
        text = known_files.to_get(found, folder)
    raise errors.NotFoundError(None, None, missing + text)


def read_data_sets(
    train_dir: str, fake_data: bool = False, one_hot: bool = False,
    dtype: Any = dtypes.float32, reshape: bool = True, validation_size: int = 5000,
    seed: Any = None, source_url: str = SOURCE,
) -> Datasets:  # fmt: skip
    """The digits: training, validation and test parts.

    Args:
        train_dir: the folder with the four files `train-images-idx3-ubyte.gz`, ...
        fake_data: need no files, hand out made-up digits.
        one_hot, dtype, reshape, seed: see DataSet.
        validation_size: how many of the first training examples are for validation.
        source_url: named where a file is missing.
    Returns:
        Datasets(train, validation, test)
    Raises:
        NotFoundError: a file is missing. ValueError: `validation_size` is too large.
    Example:
        mnist = tf.contrib.learn.datasets.mnist.read_data_sets("", fake_data=True)
        images, labels = mnist.train.next_batch(100, fake_data=True)
        len(images)  # 100
    """

    options = {"dtype": dtype, "reshape": reshape, "seed": seed}
    if fake_data:
        made = (DataSet([], [], True, one_hot, dtype, seed=seed) for _ in range(3))
        return Datasets(*made)
    paths = [maybe_download(f, train_dir, source_url or SOURCE) for f in _FILES]
    images, labels, test_images, test_labels = (_read(p, one_hot) for p in paths)
    n = validation_size
    if not 0 <= n <= len(images):
        raise ValueError(
            f"Validation size should be between 0 and {len(images)}. Received: {n}."
        )
    parts = [
        (images[n:], labels[n:]), (images[:n], labels[:n]), (test_images, test_labels)
    ]  # fmt: skip
    return Datasets(*(DataSet(*part, **options) for part in parts))


def _read(path, one_hot):
    with open(path, "rb") as f:
        return extract_images(f) if "images" in path else extract_labels(f, one_hot)


def load_mnist(train_dir: str = "MNIST-data") -> Datasets:
    """`read_data_sets` of a folder."""
    return read_data_sets(train_dir)
