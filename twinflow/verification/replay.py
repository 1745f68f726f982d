"""Runs of sessions once more, op by op, as eager calls.

Note [Replay]: in the way "eager" each op that a session runs is called eagerly instead,
on the inputs that the ops before it gave: the watched interpreter asks this watcher
first, which puts the outputs into the OpRun (Note [Watching]). So values, dtypes and
shapes of a script that has sessions alone are compared with those of eager execution,
along the same nodes. Ops on cells (variables, queues, random streams) have one kernel
for both and run where they are; so do those that engines treat on their own, such as
loops and branches, whose insides are replayed.
"""

from typing import Any

import numpy as np

from twinflow.base import dispatch
from twinflow.base.errors import OpError
from twinflow.base.watching import OpRun, Watcher
from twinflow.eager.mode import MODE
from twinflow.eager.tensor import wrap
from twinflow.execute.interpreter import special_steps


class Replay(Watcher):
    """Calls the ops of graphs eagerly.

    Args:
        recorder: a Recorder, which does not hear of the calls themselves.
    """

    def __init__(self, recorder: Any) -> None:
        self._recorder = recorder
        self._refused: dict[OpRun, Exception] = {}

    def begins(self, run: OpRun) -> None:
        if run.node is None or not _is_plain(run) or self._recorder.hidden:
            return
        self._recorder.hidden += 1
        try:
            with dispatch.entered(MODE):
                made = MODE.run_op(run.op, _given(run), run.attrs, run.name)
            found: Any = made if type(made) is list else [made]
            run.outputs = [t._a for t in found]
        except Exception as error:  # the graph refuses it too, in words of its own
            self._refused[run] = error
        finally:
            self._recorder.hidden -= 1

    def failed(self, run: OpRun, error: BaseException) -> None:
        self._refused.pop(run, None)

    def ended(self, run: OpRun) -> None:
        error = self._refused.pop(run, None)
        if error is not None:  # the graph takes what eager execution refuses
            if isinstance(error, OpError):
                error.frames = run.frames
            raise error


_VALUES = (np.ndarray, np.generic, int, float, bool, str, bytes, tuple)


def _is_plain(run: OpRun) -> bool:
    """Whether an op computes its outputs from arrays, and nothing else."""
    op = run.op
    if op.stateful or op.cell or op.step or op.engine in special_steps:
        return False
    flat = [v for a in run.inputs for v in (a if type(a) is list else [a])]
    return all(isinstance(v, _VALUES) for v in flat)


def _given(run: OpRun) -> tuple:
    """The inputs as eager tensors; those that eager calls take as numbers as arrays."""
    found: list = []
    specs = run.op.sig.inputs
    for spec, value, t in zip(specs, run.inputs, run.node.args(), strict=True):
        if spec.host:
            found.append(value)
        elif type(value) is list:
            pairs = zip(value, t, strict=True)
            found.append([wrap(v, u.dtype.base_dtype) for v, u in pairs])
        else:
            found.append(wrap(value, t.dtype.base_dtype))
    return tuple(found)
