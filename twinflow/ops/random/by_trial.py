"""Numbers that are drawn by trial, by the C module: native/trials.c.

Interpreted and inside XLA's programs on the CPU it draws what `rejection` and
`original_trials` do on arrays, but for the last places of logarithms and cosines.
"""

import numpy as np

from twinflow.base import native
from twinflow.ops.core.xla_calls import InXla
from twinflow.ops.random.philox import THREADS

OUR_GAMMA, OUR_POISSON, GAMMA, POISSON = range(4)  # the kinds of native/trials.h
_NONE = ((2,), np.float64), [OUR_POISSON], np.zeros(1), np.zeros(2, np.uint64)
_IN_XLA = InXla("trials_for_xla", _NONE, [0.0, 0.0])


def drawn(jax, kind, key, position, parameters, count, otherwise):
    """float64[count], sample after sample.

    Args:
        jax: None for NumPy. kind: one of the above.
        key: its words, of which the first two are used; two seeds for TensorFlow's.
        position: an int or uint64[]. parameters: float64[m].
        otherwise: a function of (parameters, uint64[2]: position and key) that draws
            on arrays.
    """
    xp = np if jax is None else jax.numpy
    words = [xp.asarray(k, np.uint64) for k in key]
    state = xp.stack([xp.asarray(position, np.uint64), words[0] | words[1] << 32])
    parameters = xp.reshape(parameters, -1).astype(np.float64)
    if jax is not None:
        result = (count,), np.float64
        return _IN_XLA.call(jax, otherwise, result, [kind], parameters, state)
    if not hasattr(native.fast, "trials"):
        return otherwise(parameters, state)
    out = np.empty(count)
    native.fast.trials(kind, np.ascontiguousarray(parameters), state, out, THREADS)
    return out
