"""Measures families of tf.contrib, in twinflow or in TensorFlow 1.12 (Python 3.6).

    python -m benchmarks.family_measure twinflow graph

reads names of rows from standard input and answers each with a line of JSON. With
`values` in the place of a clock it computes small ones once.
"""

import contextlib
import gc
import importlib
import json
import sys
import time

import numpy as np

from benchmarks import family_cases, family_learning, family_training
from benchmarks.family_tools import CALLED, CASES, Tools

assert family_cases and family_learning and family_training  # they register their cases
LOOPS, LEAST, LONGEST = 30, 0.002, 0.5  # how many; seconds of one; seconds of all
EARLY, PATIENCE, LATER = 40, 15.0, 0.5  # calls; seconds of waiting and of calls


def _flat(found):
    if isinstance(found, (list, tuple)):
        return [one for part in found for one in _flat(part)]
    return [] if found is None else [getattr(found, "tensor", found)]


def _numbers(found):
    """What tells whether two computed the same: sums of sizes."""
    arrays = [np.asarray(a) for a in _flat(found) if a is not None]
    return [float(np.abs(a.astype(float)).sum()) for a in arrays if a.dtype != object]


def _runner(tools, name):
    make, _ = CASES[name]
    if tools.eager or name in CALLED:
        function = make(tools)
        return function, _numbers([x.numpy() for x in _flat(function())])
    tf = tools.tf
    tf.set_random_seed(1)
    results = _flat(make(tools)())
    session = tf.Session()
    session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    for op in tools.first:
        session.run(op)
    values = session.run(results)
    # A group would let 1.12 drop the work; ops alone would not wait for XLA's.
    return session.make_callable(results), _numbers(values)


def measure(function, clock):
    """The smallest seconds, and how much larger the middle ones were."""
    _settle(function)
    gc.collect()
    gc.disable()
    count, found, begin = 1, [], time.time()
    while _loop(function, count, clock) < LEAST:
        count *= 2
    while len(found) < LOOPS and (len(found) < 3 or time.time() - begin < LONGEST):
        found.append(_loop(function, count, clock) / count)
    gc.enable()
    return min(found), sorted(found)[len(found) // 2] / min(found) - 1


def _settle(function):
    """Call until what twinflow compiles in the background runs: it changes over between
    two calls, at the next of some.
    """
    tiers = sys.modules.get("twinflow.execute.tiers")
    end = time.time() + PATIENCE
    for _ in range(EARLY):
        function()
        if time.time() > end - PATIENCE + LATER:
            break
    while tiers and tiers.WORKER.is_busy() and time.time() < end:
        time.sleep(0.01)
    end = time.time() + LATER
    while tiers and time.time() < end:
        function()


def _loop(function, count, clock):
    start = clock()
    for _ in range(count):
        function()
    return clock() - start


def answer(tf, name, eager, clock):
    """What is found of a row, or its error.

    Args:
        clock: None to compute a small one once.
    """
    try:
        with contextlib.ExitStack() as stack:
            if not eager:
                stack.enter_context(tf.Graph().as_default())
            function, values = _runner(Tools(tf, eager, small=clock is None), name)
            seconds, spread = (0, 0) if clock is None else measure(function, clock)
        return {"seconds": seconds, "spread": spread, "values": values}
    except Exception as error:
        return {"error": type(error).__name__ + ": " + str(error)[:300]}


def main(framework, mode, clock="perf_counter"):
    if framework == "twinflow":
        importlib.import_module("twinflow.compat.tensorflow")
    tf = importlib.import_module("tensorflow")
    tf.logging.set_verbosity(tf.logging.ERROR)
    if mode == "eager":
        tf.enable_eager_execution()
    for line in sys.stdin:
        found = answer(tf, line.strip(), mode == "eager", getattr(time, clock, None))
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
