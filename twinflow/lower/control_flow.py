"""Control flow and calls in XLA."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from twinflow.lower import flows
from twinflow.lower.lowering import known
from twinflow.lower.tables import special


def _call(low, node, program):
    """The body of a function, in a scope of its own."""
    inner = node.extra.program(node)
    scope = low.apart()
    scope.states, scope.ok = low.states, low.ok
    for t, outer in zip(inner.feeds, node.inputs, strict=True):
        scope.env[t] = low.value(outer, program)
    scope.run(inner.nodes, inner)
    return [scope.value(t, inner) for t in inner.fetches]


def _all(ok):
    return jnp.all(jnp.stack([jnp.all(k) for k in ok])) if ok else jnp.bool_(True)


# ------------------------------------------------------------------------- branches
def _cond(low, node, program):
    """A conditional; the states of the cells go through both branches."""
    pred = low.value(node.inputs[0], program)
    bodies = [program.bodies[r] for r in node.extra.regions]
    if known(pred):
        return _taken(low, bodies[0 if pred else 1])
    pairs = zip(*(b.fetches for b in bodies), strict=True)
    fixed = {i: None for i, pair in enumerate(pairs) if None in pair}
    cells = list(low.states)
    branches = [_branch(low, b, cells, fixed) for b in bodies]
    states = [low.states[c] for c in cells]
    shapes = [jax.eval_shape(b, states)[0] for b in branches]
    full = [_with_blanks(b, o) for b, o in zip(branches, reversed(shapes), strict=True)]
    outputs, states, ok = lax.cond(pred, *full, states)
    low.states.update(zip(cells, states, strict=True))
    low.ok.append(ok)
    found = [v if fixed.get(i) is None else fixed[i] for i, v in enumerate(outputs)]
    return [_NOBODYS if v is None else v for v in found]


_NOBODYS = np.int32(0)  # in the place of an output that nobody takes


def _taken(low, body):
    low.run(body.nodes, body)
    return [_NOBODYS if t is None else low.value(t, body) for t in body.fetches]


def _branch(low, body, cells, fixed):
    """A branch for jax; of what it alone gives, `fixed` gets what is known."""

    def run(states):
        inner = low.child()
        inner.states = dict(zip(cells, states, strict=True))
        inner.run(body.nodes, body)
        outputs = []
        for place, t in enumerate(body.fetches):
            if t is not None and place in fixed and known(inner.value(t, body)):
                fixed[place], t = inner.value(t, body), None
            outputs.append(None if t is None else inner.entering(t, body))
        return outputs, [inner.states[c] for c in cells], _all(inner.ok)

    return run


def _with_blanks(branch, other):
    """The branch with zeros for what only the other one gives."""

    def run(states):
        outputs, states, ok = branch(states)
        outputs = [
            _blank(b) if a is None else a for a, b in zip(outputs, other, strict=True)
        ]
        return flows.alike(outputs, other), states, ok

    return run


def _blank(like):
    return jax.tree.map(lambda a: jnp.zeros(a.shape, a.dtype), like)


# ---------------------------------------------------------------------------- loops
class Repeated:
    """A stack of one value, known while the cluster is lowered: no room is needed."""

    def __init__(self, value, capacity):
        self.value, self.capacity = value, capacity
        self.shape, self.dtype = (capacity, *np.shape(value)), value.dtype

    def __jax_array__(self):
        return jnp.broadcast_to(self.value, self.shape)


class _Loop:
    """A While being lowered; see graph.while_loop for the stacks it keeps."""

    def __init__(self, low, node, program):
        self.low, self.extra, self.program = low, node.extra, program
        self.test, self.body = (program.bodies[r] for r in node.extra.regions)
        self.cells = list(low.states)
        self.n = len(node.inputs)
        self.saved = self.body.fetches[self.n :]
        self.fixed: dict = {}  # saved tensors that are the same in every iteration

    def _scope(self, b, values, states):
        inner = self.low.child()
        inner.states = dict(zip(self.cells, states, strict=True))
        inner.env.update(zip(b.feeds, values, strict=True))
        inner.run(b.nodes, b)
        return inner

    def asked(self, values, states):
        """Whether to go on."""
        inner = self._scope(self.test, values, states)
        go = jnp.asarray(inner.value(self.test.fetches[0], self.test))
        return go, [inner.states[c] for c in self.cells], _all(inner.ok)

    def once(self, values, states):
        """One iteration: the next values and what is kept of it."""
        body = self.body
        inner = self._scope(body, values, states)
        kept = []
        for t in (t for t in self.saved if t is not None):
            value = inner.value(t, body)
            if known(value):
                self.fixed[t] = value
            else:
                kept.append(jnp.asarray(value, t.dtype.np))
        found = [inner.entering(t, body) for t in body.fetches[: self.n]]
        return found, [inner.states[c] for c in self.cells], kept, _all(inner.ok)

    def settle(self, first, states):
        """The first values with the buffers that the body gives to flows.

        Returns:
            (values, the shapes of what is kept)
        """
        for _ in range(self.n + 1):
            found, _, kept, _ = jax.eval_shape(self.once, first, states)
            full = flows.alike(first, found)
            if all(a is b for a, b in zip(full, first, strict=True)):
                break
            first = full
        return first, kept

    def go_on(self, carry):
        """The condition, for jax."""
        _, ok, go = carry[:3]
        return ok & go

    def step(self, carry):
        """An iteration, for jax."""
        trips, ok, _, values, states, stacks = carry
        values, states, kept, good = self.once(values, states)
        go, states, fine = self.asked(values, states)
        stacks = [
            lax.dynamic_update_index_in_dim(s, k, trips, 0)
            for s, k in zip(stacks, kept, strict=True)
        ]
        return trips + 1, ok & good & fine, go, values, states, stacks


def _while(low, node, program):
    """A loop."""
    loop, capacity = _Loop(low, node, program), node.extra.capacity
    first = [low.entering(t, program) for t in node.inputs]
    states = [low.states[c] for c in loop.cells]
    first, kept = loop.settle(first, states)
    go, states, ok = loop.asked(first, states)
    stacks = [jnp.zeros((capacity, *s.shape), s.dtype) for s in kept]
    start = (jnp.int32(0), ok, go, first, states, stacks)
    trips, ok, _, values, states, stacks = lax.while_loop(loop.go_on, loop.step, start)
    low.states.update(zip(loop.cells, states, strict=True))
    low.ok.append(ok & (trips <= capacity) if stacks else ok)
    tail = [trips] if len(node.outputs) > loop.n else []
    left, fixed = iter(stacks), loop.fixed
    full = [
        _NOBODYS if t is None
        else Repeated(fixed[t], capacity) if t in fixed
        else next(left)
        for t in loop.saved
    ]  # fmt: skip
    return [*values, *tail, *full]


def _stack_read(low, node, program):
    """The entry of a stack for one iteration."""
    stack, index = low.args(node, program)
    if isinstance(stack, Repeated):
        return (stack.value,)
    return low.plain(node, [stack, index])


special.update({
    "PartitionedCall": _call, "If": _cond, "While": _while,
    "TwinStackRead": _stack_read,
})  # fmt: skip
