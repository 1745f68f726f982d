"""Checks of every number that ops give: where the first NaN or infinity comes from."""

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from twinflow.base import errors
from twinflow.base.frames import format_frame, source_line
from twinflow.base.watching import OpRun, Watcher, start, stop, watched_by


class _Checks(Watcher):
    """Raises for the first op that gives numbers that are not finite."""

    def ended(self, run: OpRun) -> None:
        for place, value in enumerate(run.outputs or ()):
            if _odd(value):
                raise errors.InvalidArgumentError(run.node, run.node, _text(run, place))


def _odd(value: Any) -> bool:
    if not isinstance(value, np.ndarray | np.generic) or value.dtype.kind not in "fc":
        return False
    return not np.all(np.isfinite(value))


def _text(run: OpRun, place: int) -> str:
    a = np.asarray((run.outputs or [])[place])
    nan, high = np.isnan(a).sum(), np.isposinf(a.real).sum()
    low = np.isneginf(a.real).sum()
    arrays = [v for v in _flat(run.inputs) if isinstance(v, np.ndarray | np.generic)]
    odd = [i for i, v in enumerate(arrays) if _odd(v)]
    inputs = "its inputs are finite: it begins here"
    if odd:
        inputs = f"its inputs {odd} are not finite already"
    name = f" {run.name!r}" if run.name else ""
    where = ""
    if run.frames:
        pair = run.frames[0]
        where = f" at {format_frame(pair)}: {source_line(pair)}"
    inside = ", ".join(str(p) for p in run.path if p.kind in ("loop", "branch"))
    inside = f" in {inside}" if inside else ""
    return (
        f"{run.op.type}{name}{where}{inside} gives {nan} NaN, {high} inf and {low} "
        f"-inf among {a.size} numbers of shape {a.shape}; {inputs}"
    )


def _flat(values: Any) -> Iterator[Any]:
    for v in values:
        if isinstance(v, list):
            yield from v
        else:
            yield v


_checks: list = []


@contextlib.contextmanager
def check_numerics_everywhere() -> Iterator[None]:
    """A block in which the first op that gives a NaN or an infinity is an error.

    Eager calls, graphs, functions, bodies of loops, and gradients are looked at, op by
    op, in the interpreter: nothing is compiled meanwhile, and all is slower.

    Raises:
        InvalidArgumentError: an op gave such numbers: the op, the line, how many they
            are, and whether its inputs were finite.
    Example:
        with tf.Graph().as_default(), tf.Session() as sess:
            y = tf.sqrt(tf.constant([4., 9.]))
            with tf.check_numerics_everywhere(): sess.run(y)  # [2., 3.]
    """
    with watched_by(_Checks()):
        yield


def enable_check_numerics(
    stack_height_limit: int = 30, path_length_limit: int = 50
) -> None:
    """Make the first op that gives a NaN or an infinity an error, from now on.

    Args:
        stack_height_limit, path_length_limit: accepted, as in TensorFlow 2.
    """
    if not _checks:
        _checks.append(_Checks())
        start(_checks[0])


def disable_check_numerics() -> None:
    """End what `enable_check_numerics` began."""
    while _checks:
        stop(_checks.pop())
