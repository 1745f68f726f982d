"""Measures some rows of one framework in this process; prints JSON.

    python -m benchmarks.measure twinflow add mlp_eager
    python -m benchmarks.measure twinflow first_step
"""

import argparse
import importlib
import json
import time

from benchmarks import problem

TIMES = 3  # runs whose values are compared: training steps must change the weights


def measure_case(make, repeats, least):
    """The values of a case and its seconds; None for seconds without repeats."""
    case = make()
    values = case.values(TIMES)
    return {"values": values, "seconds": case.seconds(repeats, least) if repeats else None}


def measure_first_step(module):
    """Seconds from here to the loss of the first step on the host."""
    data = problem.cnn()
    start = time.perf_counter()
    loss = module.first_step(*data)
    return {"values": [[loss]], "seconds": time.perf_counter() - start}


def attempt(function, *args):
    """What a measurement gives, or its error: one that fails does not end the others."""
    try:
        return function(*args)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def measure(module, row, repeats, least):
    """{variant: {"values", "seconds"} or {"error"}} of one row."""
    if row == "first_step":
        return {"": attempt(measure_first_step, module)}
    variants = module.CASES.get(row, {})
    return {
        variant: attempt(measure_case, make, repeats, least)
        for variant, make in variants.items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("framework", help="twinflow, torch, tensorflow or jax")
    parser.add_argument("rows", nargs="+", choices=list(problem.ROWS), metavar="row")
    parser.add_argument("--repeats", type=int, default=5, help="loops; 0: only values")
    parser.add_argument("--least", type=float, default=0.02, help="seconds of a loop")
    args = parser.parse_args()
    module = importlib.import_module(f"benchmarks.with_{args.framework}")
    found = {r: measure(module, r, args.repeats, args.least) for r in args.rows}
    print(json.dumps({"version": module.VERSION, "rows": found}))


if __name__ == "__main__":
    main()
