"""How far rounding carries in a program: what it computes when each op is off by a bit.

Note [Rounding]: XLA adds up in other orders and fuses products with sums, so compiled
programs differ from interpreted ones in the last bits. What becomes of that depends on
the program: Adam makes a step of the whole learning rate out of a gradient of 1e-12, a
difference of two results is nothing but their rounding, a histogram counts into another
bucket. No bound on the results says what is right; but the program itself shows it. So
where the compiled way gives other values, the program runs once more as it did at
first, while each number that an op computes is moved by a bit. What these bits change,
rounding may change: only what goes far beyond it is a difference.
"""

from typing import Any

import numpy as np

from twinflow.base import watching
from twinflow.verification.kept import Kept
from twinflow.verification.tolerance import same

SHAKEN = "shaken"  # the way
FACTOR = 64  # how much farther than the moved bits the rounding of an engine may go
_SAMPLES = 4  # elements of an output that are looked for among the inputs


class Shaker(watching.Watcher):
    """Moves each float that an op computes one unit up, or down, or not at all."""

    def __init__(self) -> None:
        self._random = np.random.RandomState(2718)

    def ended(self, run: Any) -> None:
        if not run.op.stateful and run.outputs:
            given = [a for a in _flat(run.inputs) if _is_float(a) and a.size]
            run.outputs = [self._moved(a) if _is_new(a, given) else a
                           for a in run.outputs]  # fmt: skip

    def _moved(self, a: Any) -> Any:
        steps = self._random.randint(-1, 2, a.shape).astype(a.dtype)
        with np.errstate(all="ignore"):
            return np.asarray(a * (1 + steps * np.finfo(a.dtype).eps), a.dtype)


def _is_float(a: Any) -> bool:
    return isinstance(a, np.ndarray | np.generic) and a.dtype.kind == "f"


def _flat(inputs: list) -> list:
    return [a for v in inputs for a in (v if isinstance(v, list) else [v])]


def _is_new(a: Any, given: list) -> bool:
    """Whether an op computed numbers: what it only moves is among its inputs."""
    if not given or not _is_float(a) or not a.size:
        return False
    places = np.linspace(0, a.size - 1, _SAMPLES).astype(int)
    samples = np.unique(np.abs(a.reshape(-1)[places]))
    return any(
        s not in (0.0, 1.0) and not any((np.abs(x) == s).any() for x in given)
        for s in samples
    )


def is_rounding(v: Kept, w: Kept, shaken: Kept | None, kind: str) -> bool:
    """Whether rounding alone may have made `w` of `v`.

    Args:
        shaken: the value of the shaken way, None where that has none here.
        kind: of the boundary, see `tolerance.ULPS`.
    """
    if shaken is None or (v.dtype, v.shape) != (w.dtype, w.shape):
        return False
    if (v.dtype, v.shape) != (shaken.dtype, shaken.shape):
        return True  # even its shape hangs on the last bits
    if any(k.array is None for k in (v, w, shaken)) or v.array.dtype.kind not in "fc":
        return v.digest != shaken.digest
    return same(v, w, kind, FACTOR * _apart(v.array, shaken.array))


def _apart(a: Any, b: Any) -> float:
    with np.errstate(all="ignore"):
        far = np.abs(a.astype(np.complex128) - b.astype(np.complex128))
    return float(np.nan_to_num(far, nan=0.0, posinf=0.0).max(initial=0.0))
