"""Measures some rows of one framework in this process; prints JSON.

$ python -m benchmarks.measure twinflow add mlp_eager
$ python -m benchmarks.measure twinflow first_step
$ echo relu@1e6 | python -m benchmarks.measure torch

Without rows it reads them from its standard input, one a line, and answers each with a
line: so that two processes can take turns.
"""

import argparse
import importlib
import json
import platform
import sys
import time

from benchmarks import problem
from benchmarks.case import Case


def cases_of(framework):
    """The module with a framework's cases."""
    return importlib.import_module(f"benchmarks.with_{framework}")


def measure_case(make, repeats, least):
    """The values of a case and its seconds; no seconds without repeats."""
    case: Case = make()
    values = case.values()
    return {"values": values, "seconds": repeats and case.seconds(repeats, least)}


def measure_first_step(framework):
    """Seconds from the framework's import to the loss of the first step on the host."""
    data = problem.cnn()
    importlib.import_module(framework)
    start = time.perf_counter()
    loss = cases_of(framework).first_step(*data)
    return {"values": [[loss]], "seconds": time.perf_counter() - start}


def attempt(function, *args):
    """What a measurement gives, or its error; the others go on."""
    try:
        return function(*args)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def measure(framework, row, repeats, least):
    """{variant: {"values", "seconds"} or {"error"}} of one row."""
    if row == "first_step":
        return {"": attempt(measure_first_step, framework)}
    variants = cases_of(framework).CASES.get(row, {})
    return {
        variant: attempt(measure_case, make, repeats, least)
        for variant, make in variants.items()
    }


def rows_of(args):
    """The rows of the command line, or those that are asked for, one by one."""
    if args.rows:
        yield args.rows
    else:
        yield from ([line.strip()] for line in sys.stdin)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("framework", help="twinflow, torch, tensorflow or jax")
    parser.add_argument("rows", nargs="*", metavar="row")
    parser.add_argument("--repeats", type=int, default=5, help="loops; 0: only values")
    parser.add_argument("--least", type=float, default=0.02, help="seconds of a loop")
    args = parser.parse_args()
    how = args.repeats, args.least
    for rows in rows_of(args):
        found = {row: measure(args.framework, row, *how) for row in rows}
        version = cases_of(args.framework).VERSION
        python = platform.python_version()
        answer = {"version": version, "python": python, "rows": found}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
