"""The input pipelines in tf.data: one source for twinflow and for TensorFlow itself."""

from benchmarks import images
from benchmarks.case import Case

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


def twinflow_cases(tf):
    """twinflow's ways."""
    threads = tf.py_func, {"num_parallel_calls": 2}
    processes = tf.py_func, {"num_parallel_calls": 2, "workers": "process"}
    ways = {
        "data_python": {"py_func": (tf.py_func, {}), "2 processes": processes},
        "data_numpy": {"2 threads": threads},
        "data_processes": {"2 processes": processes},
    }
    return ImageCases(tf, ways).cases()


def tensorflow_cases(tf):
    """TensorFlow's ways."""
    two = {"numpy_function, 2 calls": (tf.numpy_function, {"num_parallel_calls": 2})}
    others = {
        "numpy_function": (tf.numpy_function, {}),
        "py_function": (lambda f, *args: tf.py_function(_of_tensor(f), *args), {}),
    }
    ways = {"data_python": {**others, **two}, "data_numpy": two, "data_processes": two}
    return ImageCases(tf, ways).cases()


def _of_tensor(function):
    return lambda tensor: function(tensor.numpy())
