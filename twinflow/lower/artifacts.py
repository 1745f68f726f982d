"""Programs of jax as bytes, and back: what jax.export writes."""

import itertools
import re

import jax
from jax import export

flatten, unflatten = jax.tree.flatten, jax.tree.unflatten
PLATFORMS = ("cpu", "cuda", "tpu")
# What a module may call outside itself: XLA's own parts. Anything else, calls back to
# Python by an address in memory above all, is refused when a file is read.
_OWN_CALLS = re.compile(
    r"Sharding|SPMD|shape_assertion|lapack_|cusolver|cublas|cudnn|cu_|__cu|__gpu\$|hip"
    r"|Eigh|Qr|Householder|ProductOfElementary|LuDecomposition|ApproxTopK|TopK|X64"
    r"|stablehlo\.|mhlo\.|chlo\.|annotate_device_placement"
)
_CALLS = re.compile(r"custom_call(?:_target_name = |\s+@|\(\s*)\"?([\w$.]+)")


def exported(function, given, specs, platforms, vjp_order):
    """The bytes of `function(*given, *arrays)`.

    Args:
        given: structures of arrays. specs: [(shape, None for unknown sizes; NumPy's
            dtype)] of the arrays. platforms: what it is to run on; None = as many as
            have all that it needs. vjp_order: how often it can be differentiated.
    Raises:
        Exception: whatever jax raises where it cannot.
    """
    with jax.enable_x64(True):
        args = [*given, *_first_fit(function, given, specs)]
        jitted = jax.jit(function)
        wanted = tuple(platforms) if platforms else _fitting(jitted, args)
        made = export.export(jitted, platforms=wanted)(*args)
        return bytes(made.serialize(vjp_order=vjp_order))


def _first_fit(function, given, specs):
    """Abstract arguments; open sizes are alike only where they have to be."""
    error = None
    for alike in (False, True):
        try:
            return _large_enough(function, given, specs, alike)
        except Exception as raised:
            error = error or raised
    raise error


_TOO_SMALL = re.compile(r"comparison '(n\d+)' (?:<|>=) '(\d+)' is inconclusive")


def _large_enough(function, given, specs, alike):
    """Abstract arguments whose open sizes are large enough for windows over them.

    A size that is compared with a number is taken to be at least that; what jax exports
    checks it when it is called. The first axis, that of a batch, has no such limit.
    """
    least = {}
    while True:
        args = _abstract(specs, alike, least)
        try:
            jax.eval_shape(function, *given, *args)
            return args
        except Exception as error:
            found = _TOO_SMALL.search(str(error))
            if found is None or least.get(found[1], 0) >= int(found[2]):
                raise
            least[found[1]] = int(found[2])


def _abstract(specs, alike, least):
    scope = export.SymbolicScope([f"{n} >= {k}" for n, k in least.items()])
    numbers, made = itertools.count(), []
    for shape, kind in specs:
        texts = [
            str(n) if n is not None else _symbol(axis, alike, numbers)
            for axis, n in enumerate(shape)
        ]
        if None in shape:
            shape = export.symbolic_shape(", ".join(texts) + ",", scope=scope)
        made.append(jax.ShapeDtypeStruct(tuple(shape), kind))
    return made


def _symbol(axis, alike, numbers):
    if axis == 0:
        return "batch" if alike else f"batch{next(numbers)}"
    return f"n{next(numbers)}"


def _fitting(jitted, args):
    """The platforms that have all parts of a function."""
    for platforms in (PLATFORMS, PLATFORMS[:2]):
        try:
            export.export(jitted, platforms=platforms)(*args)
            return platforms
        except Exception:  # of a kind that depends on the part
            continue
    return PLATFORMS[:1]


class Artifact:
    """What jax.export wrote.

    Args:
        data: bytes.
    Attributes:
        platforms, name: see jax.export.Exported. has_vjp: whether it differentiates.
    Raises:
        ValueError: it calls what is no part of XLA.
    """

    def __init__(self, data):
        self._exported = export.deserialize(bytearray(data))
        self.platforms = tuple(self._exported.platforms)
        self.name = self._exported.fun_name
        self.has_vjp = self._exported.has_vjp()
        self.call = self._exported.call if self.has_vjp else self._without_slope
        _refuse_calls(self._exported)

    def _without_slope(self, *args, **kwargs):
        leaves, tree = flatten((args, kwargs))

        @jax.custom_vjp
        def called(*leaves):
            args, kwargs = unflatten(tree, leaves)
            return self._exported.call(*args, **kwargs)

        def refused(*_):
            raise ValueError("it was exported with vjp_order=0, without its gradient")

        called.defvjp(refused, refused)
        return called(*leaves)

    def inputs(self):
        """[(shape with None for open sizes, dtype)] of the arguments, flat."""
        return [
            (tuple(n if type(n) is int else None for n in a.shape), a.dtype)
            for a in self._exported.in_avals
        ]

    def structure(self):
        """The structure of (arguments, keywords)."""
        return self._exported.in_tree

    def runs_here(self):
        """Whether one of its platforms is there."""
        there = {"gpu" if p == "cuda" else p for p in self.platforms}
        return bool(there & {d.platform for d in [*jax.local_devices(), *_cpus()]})


def _cpus():
    return jax.local_devices(backend="cpu")


def _refuse_calls(found):
    while True:
        for target in _CALLS.findall(found.mlir_module()):
            if not _OWN_CALLS.match(target):
                raise ValueError(
                    f"it calls {target!r}, which is no part of XLA: a program of "
                    "another machine may not call into this process"
                )
        if not found.has_vjp():
            return
        found = found.vjp()
