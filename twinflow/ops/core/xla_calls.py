"""Calls of the C module's kernels inside XLA's programs: whether XLA takes them."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import native
from twinflow.base.portable import is_portable


def accepted(jax: Any, target: str, handler: Callable, small: Callable) -> bool:
    """Register a kernel on the CPU, and try it.

    Args:
        target: the name of the calls. handler: gives the kernel as XLA calls it.
        small: a small call, which says whether its result is right.
    """
    try:
        jax.ffi.register_ffi_target(target, handler(), platform="cpu")
        cpu = jax.local_devices(backend="cpu")[0]
        with jax.ensure_compile_time_eval(), jax.default_device(cpu):
            return small()
    except Exception:  # of which kind depends on the release
        return False


class InXla:
    """A kernel of the C module in XLA's programs on the CPU, on XLA's threads.

    XLA's own way takes its place where there is no C module, on accelerators, in
    programs for other machines, and where this jaxlib does not take the calls.

    Args:
        handler: the function of the C module that gives it.
        small: (results, facts, *arrays) of a small call that says whether it works,
            see `call`. expected: a list, the first of its results.
    """

    def __init__(self, handler: str, small: tuple, expected: list) -> None:
        self.handler, self.small, self.expected = handler, small, expected
        self.works = functools.cache(self._works)

    def call(
        self, jax: Any, otherwise: Callable, results: Any, facts: Any, *inputs: Any
    ) -> Any:
        """The results as traced arrays.

        Args:
            otherwise: a function of the inputs: XLA's way.
            results: (shape, dtype) of the only one, or a list of them.
            facts: the integers that the kernel reads. inputs: traced arrays.
        """
        if is_portable() or not self.works(jax):
            return otherwise(*inputs)
        on_cpu = functools.partial(self._call, jax, results, facts)
        if type(results) is list:  # both ways give a tuple
            default = lambda *inputs: tuple(otherwise(*inputs))
        else:
            default = otherwise
        return jax.lax.platform_dependent(*inputs, cpu=on_cpu, default=default)

    def _call(self, jax: Any, results: Any, facts: Any, *inputs: Any) -> Any:
        one = type(results) is tuple
        made = [jax.ShapeDtypeStruct(*r) for r in ([results] if one else results)]
        call = jax.ffi.ffi_call(f"twinflow_{self.handler}", made[0] if one else made)
        found = call(*inputs, facts=np.array(facts, np.int64))
        return found if one else tuple(found)

    def _works(self, jax: Any) -> bool:
        handler = getattr(native.fast, self.handler, None)
        if handler is None:
            return False
        results, facts, *inputs = self.small

        def small() -> bool:
            call = functools.partial(self._call, jax, results, facts)
            found = jax.tree.leaves(jax.jit(call)(*inputs))[0]
            return np.asarray(found).tolist() == self.expected

        return accepted(jax, f"twinflow_{self.handler}", handler, small)
