"""tf.test.Benchmark: how long an op takes in a session."""

import re
import time
from typing import Any

import numpy as np

REGISTRY: list[type] = []  # the classes of benchmarks, in the order of definition
TEST_REPORTER_TEST_ENV = "TEST_REPORT_FILE_PREFIX"


def run_benchmarks(regex: str) -> None:
    """Run the methods `benchmark...` whose name (module.class.method) a regex finds.

    Args:
        regex: or "all".
    """
    for kind in list(REGISTRY):
        found = [n for n in dir(kind) if n.startswith("benchmark")]
        whole = {n: f"{kind.__module__}.{kind.__name__}.{n}" for n in found}
        chosen = [n for n in found if regex == "all" or re.search(regex, whole[n])]
        runner = kind() if chosen else None
        for name in chosen:
            getattr(runner, name)()


class Benchmark:
    """The base of benchmarks; a subclass has methods `benchmark...`."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        REGISTRY.append(cls)

    @classmethod
    def is_abstract(cls) -> bool:
        """Whether this is the base itself."""
        return cls is Benchmark

    def report_benchmark(
        self, iters: Any = None, cpu_time: Any = None, wall_time: Any = None,
        throughput: Any = None, extras: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        """Print one line with what was measured, times in seconds."""
        facts = {
            "iters": iters, "wall_time": wall_time, "cpu_time": cpu_time,
            "throughput": throughput, **(extras or {}),
        }  # fmt: skip
        shown = ", ".join(f"{k}: {v}" for k, v in facts.items() if v is not None)
        print(f"{type(self).__name__}.{name or 'benchmark'}: {shown}")

    def run_op_benchmark(
        self, sess: Any, op_or_tensor: Any, feed_dict: Any = None, burn_iters: int = 2,
        min_iters: int = 10, store_trace: bool = False, store_memory_usage: bool = True,
        name: str | None = None, extras: Any = None, mbs: int = 0,
    ) -> dict[str, Any]:  # fmt: skip
        """Run an op many times and report the median.

        Args:
            sess: a Session. op_or_tensor: what to run. feed_dict: its feeds.
            burn_iters: runs before measuring. min_iters: runs to measure.
            store_trace, store_memory_usage: accepted. extras: further facts to report.
            mbs: megabytes moved by a run, for the throughput.
        Returns:
            {"iters": ..., "wall_time": median seconds, "throughput": MB/s}
        """
        for _ in range(burn_iters):
            sess.run(op_or_tensor, feed_dict)
        times = []
        for _ in range(min_iters):
            start = time.perf_counter()
            sess.run(op_or_tensor, feed_dict)
            times.append(time.perf_counter() - start)
        median = float(np.median(times))
        rate = mbs / median if median else 0.0
        self.report_benchmark(min_iters, None, median, rate, extras, name)
        return {"iters": min_iters, "wall_time": median, "throughput": rate}
