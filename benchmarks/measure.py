"""Measures some rows of one framework in this process; prints JSON.

$ python -m benchmarks.measure twinflow add mlp_eager
$ python -m benchmarks.measure twinflow first_step
$ echo relu@1e6 | python -m benchmarks.measure torch

Without rows it reads them from its standard input, one a line, and answers each with a
line: so that two processes can take turns. With --variant the rows are of a model, and
what it has learned stays from line to line.
"""

import argparse
import importlib
import json
import platform
import sys
import time

from benchmarks import models, problem
from benchmarks.case import Case
from benchmarks.model_case import ModelCase


def cases_of(framework):
    """The module with a framework's cases."""
    return importlib.import_module(f"benchmarks.with_{framework}")


def measure_case(make, repeats, least, clock):
    """The values of a case and its seconds; no seconds without repeats."""
    case: Case = make()
    case.clock = getattr(time, clock)
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


def measure(framework, row, *how):
    """{variant: {"values", "seconds"} or {"error"}} of one row."""
    if row == "first_step":
        return {"": attempt(measure_first_step, framework)}
    variants = cases_of(framework).CASES.get(row, {})
    return {
        variant: attempt(measure_case, make, *how) for variant, make in variants.items()
    }


class Trained:
    """A model that stays between requests; see ModelCase.

    Args:
        framework: a name. args: of the command line.
    """

    def __init__(self, framework, args):
        self.framework, self.args, self.case = framework, args, None

    def measure(self, row):
        """{variant: {"values", "seconds", "facts"}}; values at the first request."""
        return {self.args.variant: attempt(self._measure, row)}

    def _measure(self, row):
        values = None
        if self.case is None:
            start = cases_of(self.framework).start_model
            self.case = ModelCase(start, *models.ROWS[row], self.args.variant)
            self.case.clock = getattr(time, self.args.clock)
            values = self.case.begin(self.args.settle)
        seconds, facts = self.case.again(self.args.least), self.case.facts()
        return {"values": values, "seconds": seconds, "facts": facts}


def rows_of(args):
    """The rows of the command line, or those that are asked for, one by one."""
    if args.rows:
        yield args.rows
    else:
        yield from ([line.strip()] for line in sys.stdin)


def arguments():
    """What is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("framework", help="twinflow, torch, tensorflow or jax")
    parser.add_argument("rows", nargs="*", metavar="row")
    parser.add_argument("--repeats", type=int, default=5, help="loops; 0: only values")
    parser.add_argument("--least", type=float, default=0.02, help="seconds of a loop")
    parser.add_argument("--clock", choices=["perf_counter", "process_time"],
                        default="perf_counter", help="what tells the time")  # fmt: skip
    parser.add_argument("--variant", help="train a model in this way")
    parser.add_argument("--settle", type=float, help="seconds of training that is not "
                        "measured", default=1.0)  # fmt: skip
    return parser.parse_args()


def main():
    args = arguments()
    trained = Trained(args.framework, args)
    for rows in rows_of(args):
        if args.variant is None:
            how = args.repeats, args.least, args.clock
            found = {row: measure(args.framework, row, *how) for row in rows}
        else:
            found = {row: trained.measure(row) for row in rows}
        version = cases_of(args.framework).VERSION
        python = platform.python_version()
        answer = {"version": version, "python": python, "rows": found}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
