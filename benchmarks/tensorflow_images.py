"""The input pipelines in tf.data: one source for twinflow and for TensorFlow itself."""

import numpy as np

from benchmarks import images, jpegs
from benchmarks.case import Case

_WAYS = {"threads": {}, "processes": {"workers": "process"}}
WARM_UP = 1.0  # seconds, in which processes start too


class ImageCases:
    """The cases of one implementation, run eagerly.

    Args:
        tf: the module.
        ways: {row: {variant: (the op that calls a function of arrays, the arguments of
            `map` after the function)}}.
    """

    def __init__(self, tf, ways):
        self.tf, self.ways = tf, ways

    def cases(self):
        """{row: {variant: a function that makes its Case}}."""
        return {
            row: {name: self._case(row, *way) for name, way in ways.items()}
            for row, ways in self.ways.items()
        }

    def _case(self, row, call, arguments):
        return lambda: Case(
            "epoch(batches)",
            {"epoch": images.epoch, "batches": self._batches(row, call, arguments)},
            warm_up=WARM_UP,
        )

    def _batches(self, row, call, arguments):
        tf, work, rows = self.tf, images.WORK[row], images.images()

        def function(image):
            found = call(work, [image], tf.float32)
            found.set_shape(image.shape)
            return found

        dataset = tf.data.Dataset.from_tensor_slices(rows).shuffle(len(rows)).repeat()
        dataset = dataset.map(function, **arguments).batch(images.BATCH)
        return iter(dataset.prefetch(1))


class JpegCases:
    """The cases of JPEG files: decoded, cut, resized, turned round, standardised.

    Args:
        tf: the module. resize: (images, size) -> images, linearly.
        ways: {variant: further arguments of `map`}.
    """

    def __init__(self, tf, resize, ways):
        self.tf, self.resize, self.ways = tf, resize, ways

    def cases(self):
        """{row: {variant: a function that makes its Case}}."""
        return {
            row: {name: self._case(n, more) for name, more in self.ways.items()}
            for row, n in jpegs.ROWS.items()
        }

    def _case(self, workers, more):
        names = {"epoch": jpegs.epoch}
        return lambda: Case(
            "epoch(batches)",
            {**names, "batches": self._batches(num_parallel_calls=workers, **more)},
            warm_up=WARM_UP,
        )

    def _batches(self, **arguments):
        parts = tuple(map(np.array, jpegs.load()))
        dataset = self.tf.data.Dataset.from_tensor_slices(parts).repeat()
        dataset = dataset.map(self._standardised, **arguments).batch(jpegs.BATCH)
        return iter(dataset.prefetch(1))

    def _standardised(self, file, window, turned):
        tf = self.tf
        image = tf.image.decode_and_crop_jpeg(
            file, window, channels=3, dct_method="INTEGER_ACCURATE"
        )
        image = self.resize(image[None], [jpegs.SIDE, jpegs.SIDE])[0]
        image = tf.cond(turned, lambda: tf.reverse(image, [1]), lambda: image)
        return (image - 255 * jpegs.MEAN) / (255 * jpegs.DEVIATION)


def twinflow_cases(tf):
    """twinflow's ways."""
    threads = tf.py_func, {"num_parallel_calls": 2}
    processes = tf.py_func, {"num_parallel_calls": 2, "workers": "process"}
    ways = {
        "data_python": {"py_func": (tf.py_func, {}), "2 processes": processes},
        "data_numpy": {"2 threads": threads},
        "data_processes": {"2 processes": processes},
    }
    of_jpegs = JpegCases(tf, tf.image.resize_bilinear, _WAYS)
    return {**ImageCases(tf, ways).cases(), **of_jpegs.cases()}


def tensorflow_cases(tf):
    """TensorFlow's ways."""
    two = {"numpy_function, 2 calls": (tf.numpy_function, {"num_parallel_calls": 2})}
    others = {
        "numpy_function": (tf.numpy_function, {}),
        "py_function": (lambda f, *args: tf.py_function(_of_tensor(f), *args), {}),
    }
    ways = {"data_python": {**others, **two}, "data_numpy": two, "data_processes": two}
    of_jpegs = JpegCases(tf, tf.compat.v1.image.resize_bilinear, {"map": {}})
    return {**ImageCases(tf, ways).cases(), **of_jpegs.cases()}


def _of_tensor(function):
    return lambda tensor: function(tensor.numpy())
