"""Whether computing works: one small program, eagerly, as graph, and through XLA."""

import copy
from collections.abc import Callable

import numpy as np

from twinflow.base.dispatch import entered
from twinflow.cli.health.trouble import Trouble
from twinflow.eager.mode import MODE
from twinflow.execute import tiers
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph
from twinflow.ops.core.constant import constant
from twinflow.ops.core.product import matmul

_X = np.arange(6, dtype=np.float32).reshape(2, 3)
_FIX = "python -m pip install --force-reinstall twinflow jax jaxlib numpy"


def _eagerly() -> np.ndarray:
    with entered(MODE):
        return matmul(constant(_X), constant(_X), transpose_b=True).numpy()


def _as_graph(word: str) -> np.ndarray:
    before = copy.copy(tiers.POLICY)
    vars(tiers.POLICY).update(vars(tiers.policy_of(word)))
    try:
        with Graph().as_default(), Session() as session:
            product = matmul(constant(_X), constant(_X), transpose_b=True)
            return session.run(product)
    finally:
        vars(tiers.POLICY).update(vars(before))


_WAYS: dict[str, Callable[[], np.ndarray]] = {
    "eagerly": _eagerly,
    "as a graph": lambda: _as_graph("never"),
    "through XLA": lambda: _as_graph("wait"),
}


def troubles() -> list[Trouble]:
    """The ways in which it fails."""
    found, wanted = [], _X @ _X.T
    for way, run in _WAYS.items():
        try:
            got = run()
            same = got.shape == wanted.shape and np.allclose(got, wanted, 1e-5)
            what = "" if same else f"gives {got.tolist()}"
        except Exception as error:  # whatever is wrong with this machine
            what = f"fails with {type(error).__name__}: {error}"
        if what:
            found.append(Trouble(f"a product of matrices {way} {what}", _FIX, True))
    return found
