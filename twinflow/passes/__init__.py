"""Graph to graph: what a program becomes before it is planned."""

import os

from twinflow.graph.program import has_frames
from twinflow.graph.well_formed import check_program
from twinflow.passes.algebra import simplify
from twinflow.passes.fold import fold
from twinflow.passes.prune import prune
from twinflow.passes.subexpressions import merge_equal

PASSES = (simplify, fold, merge_equal, prune)


def optimize(program):
    """Run all passes over `program` and the bodies in it; returns it.

    A program with loops in parts stays as it is: its order says nothing.
    With TWINFLOW_CHECKS=1 in the environment the program is verified after each pass.
    """
    if has_frames(program):
        return program
    checks = os.environ.get("TWINFLOW_CHECKS") == "1"
    for run in PASSES:
        _everywhere(run, program)
        if checks:
            check_program(program, run.__name__)
    return program


def _everywhere(run, program):
    run(program)
    for body in program.bodies.values():
        _everywhere(run, body)
