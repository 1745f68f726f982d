"""The script (Latin, Han ...) that characters are written in."""

import functools
from pathlib import Path

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import same

_LAST = 0x10FFFF


@functools.cache
def _table():
    """(first characters of runs, their script codes)"""
    text = (Path(__file__).parent / "unicode_scripts.txt").read_text(encoding="ascii")
    words = [w for line in text.splitlines() if line[0] != "#" for w in line.split()]
    pairs = [w.split(":") for w in words]
    firsts = np.array([int(first, 16) for first, _ in pairs], np.int32)
    return firsts, np.array([int(code) for _, code in pairs], np.int32)


def _script_kernel(input):
    a = np.asarray(input)
    firsts, codes = _table()
    found = codes[np.searchsorted(firsts, np.clip(a, 0, _LAST), side="right") - 1]
    return np.where((a < 0) | (a > _LAST), np.int32(-1), found)


UnicodeScript = define("UnicodeScript", infer=same, host=_script_kernel)


def unicode_script(input: TensorValue, name: str | None = None) -> Tensor:
    """The script of each character, as a UScriptCode of ICU (Unicode 11).

    Args:
        input: int32, Unicode code points. name: the name of the node in a graph.
    Returns:
        int32 of the same shape: 25 = Latin, 17 = Han ...; 103 = unassigned, -1 = no
        code point.
    Example:
        tf.strings.unicode_script([0x41, 0x4E00])  # [25, 17]
    """
    return apply(UnicodeScript, (input,), None, name)
