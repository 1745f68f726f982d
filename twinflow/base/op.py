"""Ops are facts: a signature, a shape rule, a kernel, a gradient.

Note [Gradient rules]: a rule says by its parameter names what it reads. ``dy`` is the
incoming gradient (``d_NAME`` for each of several outputs), an input or output of the
signature goes by its name, ``shape_NAME`` and ``dtype_NAME`` are those of an input,
``num_NAME`` and ``shapes_NAME`` those of a list input, and an attribute goes by its
name. Tapes and functions keep just these. A rule is written with ops, so it runs
eagerly, is traced, and differentiates again.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import dtypes, pieces, signature
from twinflow.base.op_lookup import known_op, registry

FLOAT = frozenset(t for t in dtypes.ALL_TYPES if t.is_floating)
COMPLEX = frozenset(t for t in dtypes.ALL_TYPES if t.is_complex)
INT = frozenset(t for t in dtypes.ALL_TYPES if t.is_integer)
REAL = FLOAT | INT
NUMBER = REAL | COMPLEX
INEXACT = FLOAT | COMPLEX
INDEX = frozenset((dtypes.int32, dtypes.int64))
ARITHMETIC = frozenset(t for t in NUMBER if t.is_arithmetic)
ADDABLE = frozenset(t for t in NUMBER if t.is_addable)
FACTOR = INEXACT | {dtypes.int32}
COMMON = INEXACT | INDEX
COMMON_REAL = FLOAT | INDEX


class InferError(Exception):
    """Inputs that do not fit: one text for each mode, as TensorFlow has them.

    Args:
        later: a graph takes the call, and its run raises this.
        places: the inputs whose values matter, where they are not those of the op.
    """

    def __init__(
        self, message: str, graph_message: str | None = None, later: bool = False,
        places: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.graph_message = graph_message or message
        self.later, self.places = later, places


class Op:
    """One operation: facts that every mode, pass and engine reads.

    Args:
        line: the op's type, where the signature is that of TensorFlow's OpDef, or the
            signature itself (see base.signature), as a line or a Signature.
        infer: ``(*inputs, **attrs) -> shape`` (or a list of shapes), on tensors whose
            ``_shape`` may be partly known and on host values that may be None.
        kernel: ``xp -> function(*arrays, **attrs)``, bound once per array namespace.
        types: allowed dtypes, of ``T`` or by the name of the type attribute, where
            they are not those of the OpDef.
        grad: one rule (or None) per non-host input, or one joint function.
        grad_names: what TensorFlow calls the last node of each gradient, in one text,
            or ``node -> names``; programs find gradients under these names.
        lower: ``jax -> function(*arrays, **attrs)``, where XLA needs another form than
            the kernel on jax.numpy.
        export: ``parts -> None``, where TensorFlow has the op not, or not so: adds the
            nodes that stand for it in a GraphDef (graph.graph_def.parts).
        static: ``(node, value) -> value``: what is known of the output before anything
            runs, in the terms of graph.static, where the kernel on known inputs does
            not say it; NotImplemented where it does. `value` gives what is known of a
            tensor.
        divides: the second input divides the first: Note [Rewrites of XLA] in lower.
        guard: ``xp -> function(*arrays, **attrs) -> bool array``; False = bad values.
        check: ``(*arrays, **attrs) -> message or None``: what the guard refuses.
        quick: ``(*arrays, **attrs)`` -> the result for inputs that are small and right,
            else None; it raises nothing. NumPy's engines ask it before the check and
            the kernel.
        stateful: runs in program order and is never merged or dropped.
        host: the kernel of an op that runs only on the host, never inside a compiled
            cluster, on NumPy arrays; or True, where `kernel` or `step` says it.
        on_host: the names of the inputs whose values shape the result, with blanks
            between (in a signature: ``host``).
        attrs: {name: default} of the attributes that the OpDef has not, or not so.
        unread: the names of those of the OpDef that the op here has not, likewise.
        strict: the NumPy kernel itself refuses what infer refuses, so that eager
            calls infer only to word the error; so are ops whose infer refuses nothing.
        step: in place of kernel, for a stateful op on cells (Note [Cells]): ``xp ->
            function(*inputs, **attrs) -> (result, new state)``, where the states stand
            at the places of their cells, or first if the cell is an attribute; several
            cells give a tuple of new states.
        cell: the name of the input or attribute that is the cell, or a tuple of names.
        reads_cell: False where the step ignores the old state (an assignment).
        writes_cell: False where the step only looks at it.
        home: for an op that makes a handle: ``(name, attrs) -> cell``, the cell of a
            node whose attribute `cell` is None.
        dynamic_host: ``(**attrs) -> {name of a host vector: bits}``: the entries whose
            value need not be known to compile; a lowering rule of its own takes them.
        none_ok: the joint gradient rule takes None for outputs that got no gradient.
    Attributes:
        engine: the type by which engines know how to run it: its own, except for calls
            of functions that are op types of their own.
    """

    __slots__ = (
        "type", "sig", "infer", "kernel", "types", "rules", "joint", "lower", "guard",
        "check", "stateful", "host", "strict", "np", "vjps", "mask",
        "single", "step", "cell", "reads_cell", "writes_cell",
        "plain", "type_attrs", "none_ok", "dynamic_host", "home", "refs", "grad_names",
        "export", "static", "divides", "engine", "quick",
    )  # fmt: skip

    def __init__(
        self, line: str, infer: Callable | None, kernel: Callable | None = None,
        types: Any = None, grad: Callable | list | None = None,
        lower: Callable | None = None, guard: Callable | None = None,
        check: Callable | None = None, stateful: bool = False, host: bool = False,
        strict: bool = False, step: Callable | None = None,
        cell: str | tuple[str, ...] | None = None, reads_cell: bool = True,
        writes_cell: bool = True, none_ok: bool = False,
        dynamic_host: Callable | None = None, home: Callable | None = None,
        on_host: str = "", attrs: dict | None = None, grad_names: Callable | str = "",
        export: Any = None, static: Any = None, unread: str = "", divides: bool = False,
        quick: Callable | None = None,
    ) -> None:  # fmt: skip
        if callable(host):
            kernel, host = lambda xp, function=host: function, True
        sig = _signature(line, on_host, attrs, unread)
        self.sig, self.type, self.engine = sig, sig.type, sig.type
        self.infer, self.lower = infer, lower
        self.export, self.static, self.divides = export, static, divides
        types = types if isinstance(types, dict) else {"T": types} if types else {}
        self.types = {**signature.allowed_types(sig.type), **types}
        self.guard, self.check, self.quick = guard, check, quick
        self.stateful, self.host = stateful, host
        self.strict = strict or getattr(infer, "refuses_nothing", False)
        self.dynamic_host, self.home = dynamic_host, home
        self.refs = any(a.ref for a in (*sig.inputs, *sig.outputs))
        self.single = len(sig.outputs) == 1 and not sig.outputs[0].is_list
        self.joint = grad if callable(grad) else None
        self.rules = self._rules_per_input(grad)
        self.mask = sum(1 << i for i, rule in enumerate(self.rules) if rule)
        self.vjps: dict[int, Any] = {}
        self.none_ok = none_ok
        self.grad_names = grad_names if callable(grad_names) else grad_names.split()
        self.plain = [
            (a.type_attr, a.dtype, a.host, a.is_list and not a.mixed)
            for a in sig.inputs
        ]
        if any(a.mixed for a in sig.outputs):
            self.plain.append(("", None, False, False))  # types that inputs do not tell
        self.type_attrs = sig.type_attrs
        self.step, self.cell = step, cell
        self.reads_cell, self.writes_cell = reads_cell, writes_cell
        if step:
            self.stateful = True
            kernel = kernel or _on_cell(step(np), sig, cell, reads_cell)
        self.kernel = kernel
        self.np: Any = self._on_numpy(kernel(np)) if kernel else None

    def _on_numpy(self, kernel: Any) -> Any:
        """The kernel, which takes large arrays in pieces where it is elementwise."""
        only_arrays = not any(a.is_list or a.host for a in self.sig.inputs)
        if self.host or self.stateful or self.sig.attrs or not only_arrays:
            return kernel
        return pieces.in_pieces(kernel, len(self.sig.inputs)) if self.single else kernel

    def _rules_per_input(self, grad: Callable | list | None) -> list:
        inputs = self.sig.inputs
        if callable(grad):
            return [None if a.host else grad for a in inputs]
        rules = iter(grad or ())
        return [None if a.host else next(rules, None) for a in inputs]

    def renamed(self, kind: str) -> "Op":
        """The same op as another type, which engines run as this one."""
        made = object.__new__(Op)
        for name in Op.__slots__:
            setattr(made, name, getattr(self, name))
        made.type = kind
        return made

    def __repr__(self) -> str:
        return f"<Op {self.type}>"

    def __reduce__(self) -> tuple:
        return known_op, (self.type,)

    def __deepcopy__(self, memo: Any) -> Any:
        return self


def _signature(line: str, *deviations: Any) -> signature.Signature:
    if isinstance(line, signature.Signature):
        return line
    if "(" in line:
        return signature.parse(line)
    return signature.of_op_def(line, *deviations)


def _on_cell(
    step: Callable, sig: signature.Signature, cell: Any, reads_cell: bool
) -> Callable:
    """The kernel that runs a step on its cells: inputs, or one attribute."""
    names = (cell,) if isinstance(cell, str) else cell
    inputs = [a.name for a in sig.inputs]
    places = [inputs.index(n) for n in names if n in inputs]

    def with_one(*args: Any, **attrs: Any) -> Any:
        here = args[first]
        old = here.read() if reads_cell else None
        result, new = step(*args[:first], old, *args[first + 1 :], **attrs)
        if new is not old:
            here.write(new)
        return result

    def with_first(*args: Any, **attrs: Any) -> Any:
        cells = args[:count]
        states = [c.read() for c in cells]
        result, news = step(*states, *args[count:], **attrs)
        for i, new in enumerate(news):
            if new is not states[i]:
                cells[i].write(new)
        return result

    def with_some(*args: Any, **attrs: Any) -> Any:
        cells = [args[p] for p in places] or [attrs[cell]]
        states = [c.read() if reads_cell else None for c in cells]
        if places:
            ins = list(args)
            for p, state in zip(places, states, strict=True):
                ins[p] = state
        else:
            ins = [*states, *args]
        result, new = step(*ins, **attrs)
        news = (new,) if len(cells) == 1 else new
        for c, old, state in zip(cells, states, news, strict=True):
            if state is not old:
                c.write(state)
        return result

    first, count = places[0] if places else 0, len(places)
    kernel = with_one if count == 1 else with_some
    if count > 1 and reads_cell and places == list(range(count)):
        kernel = with_first
    return lambda xp: kernel


def bind_first(function: Callable) -> Any:
    """``xp -> function(*arrays, **attrs)`` from a function that takes xp first."""
    return functools.partial(functools.partial, function)


def define(line: str, infer: Any, kernel: Callable | None = None, **facts: Any) -> Op:
    """Make an op and put it into the registry.

    Returns:
        The Op.
    Raises:
        ValueError: an op of this type exists already.
    """
    op = Op(line, infer, kernel, **facts)
    if op.type in registry:
        raise ValueError(f"The op {op.type!r} is defined twice.")
    registry[op.type] = op
    return op
