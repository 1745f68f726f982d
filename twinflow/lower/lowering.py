"""From nodes to XLA: run the kernels on jax.numpy while jax traces.

Note [Known at lowering]: shapes are concrete while a cluster is lowered, so shape
arithmetic stays in NumPy; only what depends on data becomes a traced value. An op's
host input must be known by then: its value is part of the cluster's key
(execute.tiers). The entries that an op's `dynamic_host` names may be traced; a rule in
lower.tables.special takes them.

Note [Rewrites of XLA]: XLA's algebraic simplifier holds identities of real numbers for
those of floats: a / b / c becomes a / (b * c), sqrt(x * x) becomes |x|, log(exp(x))
becomes x, (x + 1e8) - 1e8 becomes x, and x / c with a constant c becomes x * (1 / c).
Where a product overflows or a sum cancels, the result is another one. So the result of
arithmetic and each divisor go through a barrier; blocks say by their shape rules what
is arithmetic (ops.core.infer), and by `divides` what has a divisor. XLA takes barriers
away before it fuses: the machine code is as fast as without them. Without the
simplifier (xla_disable_hlo_passes=algsimp) loops are 4 % slower, and some dtypes crash
XLA. What is computed within one kernel is not parted;
tests/lower/test_special_values.py would see a difference. docs/numbers.md has what
remains.
"""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from twinflow.base import dtypes
from twinflow.base.state import Cell
from twinflow.graph import fit
from twinflow.graph.program import is_known
from twinflow.lower import flows
from twinflow.lower.tables import special

_SMALL = 4096  # elements: what is larger is not shape arithmetic


class NeedsValue(Exception):  # a message to the tiers, not an error
    """A host input depends on data: `node` cannot be compiled in this cluster."""

    def __init__(self, node):
        super().__init__(node.name)
        self.node = node


class Lowering:
    """The values of one trace.

    Attributes:
        env: dict tensor -> traced value, NumPy array (known) or Cell.
        states: dict Cell -> its state at this point of the program.
        ok: the guards so far, as traced booleans.
        elements: the shapes of the elements of tensor arrays, by origin.
    """

    def __init__(self, cell_of):
        self.cell_of = cell_of
        self.env: dict = {}
        self.states: dict = {}
        self.ok: list = []
        self.elements: dict = {}

    def apart(self):
        """A scope of its own, for a called function."""
        return type(self)(self.cell_of)

    def child(self):
        """A scope for a body: sees the values outside, keeps its own states."""
        inner = self.apart()
        inner.env, inner.states = dict(self.env), dict(self.states)
        inner.elements = self.elements
        return inner

    def value(self, t, program):
        """The value of a tensor."""
        t = program.resolve(t)
        found = self.env.get(t)
        if found is None:
            found = program.const(t)
            if found is None and t.op.opdef.home is not None:
                found = self.cell_of(t.op.attrs["cell"])
            if found is None:
                raise KeyError(f"{t} has no value in this cluster.")
            self.env[t] = found
        if t.dtype._is_ref_dtype and isinstance(found, Cell):
            return self.states[found]  # Note [References]
        return found

    def cell(self, t, program):
        """The cell of a reference."""
        return self.cell_of(program.reference(t).op.attrs["cell"])

    def entering(self, t, program):
        """The value of a tensor as a loop or a branch takes it."""
        value = self.value(t, program)
        if t.dtype.np is None:
            return flows.settled(value)
        return jnp.asarray(value, t.dtype.np)

    def args(self, node, program):
        """The values of the inputs, list inputs as lists."""
        if node.opdef.refs:
            pairs = zip(node.opdef.sig.inputs, node.inputs, strict=True)
            return [(self.cell if s.ref else self.value)(t, program) for s, t in pairs]
        return [
            [self.value(t, program) for t in a] if type(a) is list
            else self.value(a, program)
            for a in node.args()
        ]  # fmt: skip

    def run(self, nodes, program):
        """Lower `nodes` in order."""
        for node in nodes:
            if is_known(node, program):
                continue
            if node.opdef.engine in special:
                values = special[node.opdef.engine](self, node, program)
            else:
                args = self.args(node, program)
                if node.opdef.divides:
                    args = _divisor(args)
                values = self.plain(node, args)
                if getattr(node.opdef.infer, "arithmetic", False):
                    values = [_parted(v) for v in values]
            for t, value in zip(node.outputs, values, strict=False):
                if t.dtype._is_ref_dtype and node.opdef.refs:
                    continue  # Note [References]
                self.env[t] = _exact(value, t.dtype)

    def plain(self, node, args):
        """The values of the outputs by the op's kernel."""
        op, attrs = node.opdef, node.attrs
        if op.single and node.outputs[0].dtype is dtypes.flow:
            return (flows.plain(op, args),)
        for spec, a in zip(op.sig.inputs, args, strict=True):
            if spec.host and not known(a):
                raise NeedsValue(node)
        if fit.is_open(node):
            fit.check(op, args, attrs)
        if op.step:
            result = self._step(op, args, attrs)
        else:
            if op.guard:
                self.ok.append(op.guard(jnp)(*args, **attrs))
            result = (op.np if self.is_here(op, args) else kernel_of(op))(
                *args, **attrs
            )
        return (result,) if op.single else result

    def is_here(self, op, args):
        """Whether NumPy computes it while the cluster is lowered."""
        return not op.stateful and all(known(a) for a in args) and _small(args)

    def _step(self, op, args, attrs):
        """Note [Cells] in base.state."""
        names = (op.cell,) if isinstance(op.cell, str) else op.cell
        inputs = [a.name for a in op.sig.inputs]
        places = [inputs.index(n) for n in names if n in inputs]
        cells = [args[p] for p in places] or [self.cell_of(attrs[op.cell])]
        states = [self.states.get(c) for c in cells]
        if places:
            for p, s in zip(places, states, strict=True):
                args[p] = s
        if op.guard:
            self.ok.append(op.guard(jnp)(*args, **attrs))
        if not places:
            args = [*states, *args]
        result, new = kernel_of(op)(*args, **attrs)
        for c, s in zip(cells, (new,) if len(cells) == 1 else new, strict=True):
            self.states[c] = s
        return result


def kernel_of(op):
    """The kernel of `op` on jax.numpy."""
    return op.lower(jax) if op.lower else (op.step or op.kernel)(jnp)


def _parted(value):
    """A float result behind a barrier: Note [Rewrites of XLA]."""
    if known(value) or not jnp.issubdtype(value.dtype, jnp.inexact):
        return value
    return lax.optimization_barrier(value)


def _divisor(args):
    """The arguments of a division, a constant divisor behind a barrier."""
    x, y = args
    if known(x) or not known(y) or not jnp.issubdtype(y.dtype, jnp.inexact):
        return args
    return [x, lax.optimization_barrier(jnp.asarray(y))]


def known(value):
    """Whether a value is there already while the cluster is lowered."""
    if type(value) is list:
        return all(known(v) for v in value)
    return not isinstance(value, jax.core.Tracer) and not isinstance(value, jax.Array)


def _small(args):
    sizes = (np.size(a) for a in args if not isinstance(a, Cell | list))
    return all(n <= _SMALL for n in sizes)


def _exact(value, dtype):
    """The value in exactly the op's dtype."""
    if dtype.np is None or isinstance(value, Cell):
        return value
    if isinstance(value, np.ndarray | np.generic):
        return value
    return value if value.dtype == dtype.np else value.astype(dtype.np)
