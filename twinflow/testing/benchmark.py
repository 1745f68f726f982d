"""tf.test.Benchmark: how long an op takes in a session."""

import time
from typing import Any

import numpy as np


class Benchmark:
    """The base of benchmarks; a subclass has methods `benchmark...`."""

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
