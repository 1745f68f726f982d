"""A process of benchmarks.scaling: sums of arrays with Gloo. RANK COUNT PORT.

It joins the others through jax.distributed, and prints a line of JSON.
"""

import json
import sys
import time

BEGUN = time.perf_counter()

import jax  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import Mesh, NamedSharding, PartitionSpec  # noqa: E402

SIZES = tuple(10**e for e in (3, 4, 5, 6, 7, 8))  # bytes
SECONDS, MOST = 0.4, 100  # of one size; runs
STEP, STEPS, GRADIENT = 0.1, 6, 4_000_000  # a simulated step: seconds, bytes
PIECES = 64  # tensors of one gradient, where it is not sent as one


def measured(rank, count, port):
    """Seconds of the start, of sums (smallest and median) and of steps."""
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.config.update("jax_platforms", "cpu")
    jax.distributed.initialize(f"127.0.0.1:{port}", count, rank)
    mesh = Mesh(np.array(jax.devices()), "d")
    split = NamedSharding(mesh, PartitionSpec("d"))
    whole = NamedSharding(mesh, PartitionSpec())
    add = jax.jit(lambda *xs: [x.sum(0) for x in xs], out_shardings=whole)

    def part(size, value=1):
        own = np.full((1, size // 4), value, np.float32)
        return jax.make_array_from_process_local_data(split, own)

    def took(*xs):
        start = time.perf_counter()
        jax.block_until_ready(add(*xs))
        return time.perf_counter() - start

    took(part(4))
    found = {"start": time.perf_counter() - BEGUN, "sum": {}}
    for size in SIZES:
        x = part(size)
        took(x)  # compiles
        last = took(x)
        runs = max(3, min(MOST, int(SECONDS / last))) if rank == 0 else 0
        # all have to run as often as the first one says
        times = [took(x) for _ in range(int(add(part(4, runs))[0][0]))]
        found["sum"][size] = [min(times), float(np.median(times))]
    found["one"] = _steps(took, [part(GRADIENT)])
    found["pieces"] = _steps(took, [part(GRADIENT // PIECES) for _ in range(PIECES)])
    return found


def _steps(took, xs):
    """The median time of steps that compute without a core, then sum up."""
    took(*xs)
    times = []
    for _ in range(STEPS):
        start = time.perf_counter()
        time.sleep(STEP)
        took(*xs)
        times.append(time.perf_counter() - start)
    return float(np.median(times))


if __name__ == "__main__":
    print(json.dumps(measured(*map(int, sys.argv[1:]))), flush=True)
