"""A monitor that keeps what every op of a graph gives."""

from typing import Any

import numpy as np

from twinflow.base import logging
from twinflow.contrib.learn.monitor_base import BaseMonitor
from twinflow.graph.defaults import get_default_graph


class GraphDump(BaseMonitor):
    """Keeps the values of all tensors of every step, to compare two trainings.

    Args:
        ignore_ops: types of ops that are left out; `IGNORE_OPS` by default.
    """

    IGNORE_OPS = (
        "Const", "Assign", "Identity", "Placeholder", "RandomUniform", "Cast",
        "RestoreSlice", "RestoreV2",
    )  # fmt: skip

    def __init__(self, ignore_ops: Any = None) -> None:
        super().__init__()
        self._ignore = tuple(ignore_ops or self.IGNORE_OPS)
        self._data: dict = {}
        self._tensors: list = []

    def begin(self, max_steps: Any = None) -> None:
        super().begin(max_steps)
        self._tensors = [
            t.name
            for op in get_default_graph().get_operations()
            if op.type not in self._ignore
            for t in op.outputs
            if not t.dtype._is_ref_dtype and t.dtype != "resource"
        ]

    def step_begin(self, step: Any) -> list:
        super().step_begin(step)
        return self._tensors

    def step_end(self, step: Any, output: Any) -> bool:
        super().step_end(step, output)
        self._data[step] = output
        return False

    @property
    def data(self) -> dict:
        """{step: {name of a tensor: value}}"""
        return self._data

    def compare(self, other_dump: Any, step: Any, atol: float = 1e-6) -> tuple:
        """Compare a step of two dumps.

        Args:
            other_dump: another GraphDump. step: of both, or a pair of steps.
            atol: how far values may be apart.
        Returns:
            The names of the tensors that are alike, and (name, value, value) of others.
        """
        own_step, other_step = step if isinstance(step, tuple | list) else (step, step)
        own, other = self.data[own_step], other_dump.data[other_step]
        alike, apart = [], []
        for name in own:
            if name not in other:
                logging.warning("%s is missing in the other dump.", name)
            elif _are_close(own[name], other[name], atol):
                alike.append(name)
            else:
                apart.append((name, own[name], other[name]))
        return alike, apart


def _are_close(a: Any, b: Any, atol: float) -> bool:
    if np.asarray(a).dtype.kind in "OSU":
        return bool(np.all(np.equal(a, b)))
    return np.shape(a) == np.shape(b) and bool(np.allclose(a, b, atol=atol))
