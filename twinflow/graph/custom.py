"""Nodes whose gradient the user has given (tf.custom_gradient)."""

import functools
from collections.abc import Callable
from typing import Any

from twinflow.autodiff.registry import is_registered, registered_gradient
from twinflow.base import dispatch
from twinflow.base.op import define
from twinflow.base.op_lookup import known_op
from twinflow.base.tensor import ResourceHandle
from twinflow.base.vjp import vjp
from twinflow.graph.regions import Recorded
from twinflow.ops.core.creation import zeros_like


def _export(parts: Any) -> None:
    """The results alone: the sources are inputs for the sake of gradients."""
    types = tuple(t.dtype for t in parts.node.outputs)
    results = parts.inputs[: parts.node.attrs["results"]]
    parts.add("", "IdentityN", *results, T=types)


CustomGradient = define(
    "TwinCustomGradient(input: N*T) -> (output: N*T); results=0",
    infer=None,
    kernel=lambda xp: lambda input, results: list(input)[:results],
    export=_export,
)


class CustomExtra(Recorded):
    """The sources of a custom gradient, and its way back."""

    def __init__(self, sources: Any, vjp: Any) -> None:
        super().__init__()
        self.sources, self.vjp = sources, vjp

    def record(self, node: Any, tapes: Any) -> None:
        """Put the node on `tapes`, with the sources as its inputs."""
        self.put_each(node, tapes, self.sources, lambda p: _Some(self.vjp, p))


class _Some:
    """A way back for some of the sources."""

    none_ok = True

    def __init__(self, vjp: Any, places: Any) -> None:
        self.vjp, self.places = vjp, places

    def back(self, kept: Any, attrs: dict, dys: Any) -> list:
        found = self.vjp.back(kept, attrs, dys)
        return [found[i] for i in self.places]


class OverriddenExtra(Recorded):
    """A node whose gradient a `gradient_override_map` names."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def record(self, node: Any, tapes: Any) -> None:
        """Put the node on `tapes`, with the registered function as its way back."""
        function = _gradient_of(self.name, node)
        if function is not None:
            make = functools.partial(_Registered, function, node)
            self.put_each(node, tapes, node.inputs, make)


def _gradient_of(name: str, node: Any) -> Any:
    """A registered function, or the gradient that the op of this name has."""
    op = None if is_registered(name) else known_op(name)
    if op is None:
        return registered_gradient(name, node)
    return functools.partial(_as_another, op) if op.mask else None


def _as_another(op: Any, node: Any, *dys: Any) -> Any:
    """The gradients of a node by the rule of another op, as "Identity"."""
    product = vjp(op, op.mask)
    kept = product.keep_later(node.args(), node.outputs)
    attrs = {k: node.attrs.get(k, v) for k, v in op.sig.attrs.items()}
    found = product.back(kept, attrs, dys[0] if op.single else list(dys))
    grads = [None] * len(node.inputs)
    for place, dx in zip(product.wanted, found, strict=True):
        grads[place] = dx
    return grads


class _Registered:
    """A way back by a function of the node and the incoming gradients."""

    none_ok = True

    def __init__(self, function: Callable, node: Any, places: list[int]) -> None:
        self.function, self.node, self.places = function, node, places

    def back(self, kept: Any, attrs: dict, dys: Any) -> list:
        pairs = zip(dys, self.node.outputs, strict=True)
        dys = [zeros_like(t) if d is None else d for d, t in pairs]
        found = self.function(self.node, *dys)
        found = found if isinstance(found, list | tuple) else [found]
        if len(found) != len(self.node.inputs):
            raise ValueError(
                f"Num gradients {len(found)} generated for op {self.node.name!r} do "
                f"not match num inputs {len(self.node.inputs)}"
            )
        return [found[i] for i in self.places]


def identity_with_gradient(graph: Any, results: Any, sources: Any, vjp: Any) -> list:
    """The results through an IdentityN that knows its gradient.

    The sources are inputs of the node as well, so that gradients find their way to
    them.
    """
    results = [graph.tensor(r) for r in results]
    handles = [
        graph.tensor(getattr(s, "handle", s) if isinstance(s, ResourceHandle) else s)
        for s in sources
    ]
    specs = [(t.dtype, t._shape) for t in results]
    args = [[*results, *handles]]
    node = graph.append_node(
        CustomGradient, args, {"results": len(results)}, "IdentityN", specs
    )
    node.extra = CustomExtra(handles, vjp)
    tapes = dispatch.local.top.tapes
    if tapes:
        node.extra.record(node, tapes)
    return list(node.outputs)
