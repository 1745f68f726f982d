"""Numbers that are drawn by trial, by the C module: native/trials.c.

Interpreted and inside XLA's programs on the CPU it draws what `rejection` and
`original_trials` do on arrays, but for the last places of logarithms and cosines. These
take its place where there is no C module, on accelerators, and where this jaxlib does
not take the calls.
"""

import functools

import numpy as np

from twinflow.base import native
from twinflow.ops.core.xla_calls import accepted
from twinflow.ops.random.philox import THREADS

OUR_GAMMA, OUR_POISSON, GAMMA, POISSON = range(4)  # the kinds of native/trials.h
_TARGET = "twinflow_trials"


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
    if jax is None:
        if not hasattr(native.fast, "trials"):
            return otherwise(parameters, state)
        out = np.empty(count)
        native.fast.trials(kind, np.ascontiguousarray(parameters), state, out, THREADS)
        return out
    if not works(jax):
        return otherwise(parameters, state)
    call = functools.partial(_call, jax, kind=kind, count=count)
    return jax.lax.platform_dependent(parameters, state, cpu=call, default=otherwise)


def _call(jax, parameters, state, *, kind, count):
    result = jax.ShapeDtypeStruct((count,), np.float64)
    kinds = np.array([kind], np.int64)
    return jax.ffi.ffi_call(_TARGET, result)(parameters, state, kinds=kinds)


@functools.cache
def works(jax):
    """Whether XLA takes the calls: it is asked once, with a rate of 0."""

    def small():
        call = functools.partial(_call, jax, kind=OUR_POISSON, count=2)
        found = jax.jit(call)(np.zeros(1), np.zeros(2, np.uint64))
        return np.asarray(found).tolist() == [0, 0]

    handler = getattr(native.fast, "trials_for_xla", None)
    return handler is not None and accepted(jax, _TARGET, handler, small)
