"""What TensorFlow's benchmarks of recurrent cells share."""

import itertools
import time

from twinflow.graph.scopes import device as device_scope


def device(use_gpu=False):
    """The scope of the first GPU, or of the CPU."""
    return device_scope("/gpu:0" if use_gpu else "/cpu:0")


def seconds_per_run(op, sess, num_runs=50):
    """The mean time of a run, behind two that do not count."""
    for _ in range(2):
        sess.run(op)
    start = time.time()
    for _ in range(num_runs):
        sess.run(op)
    return (time.time() - start) / num_runs


def dict_product(dicts):
    """A dict for each choice of one value of each key's list."""
    for values in itertools.product(*dicts.values()):
        yield dict(zip(dicts, values, strict=True))
