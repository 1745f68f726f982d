"""Control flow and calls in XLA."""

import jax
import jax.numpy as jnp
from jax import lax

from twinflow.lower.lowering import Lowering, known
from twinflow.lower.tables import special


def _call(low, node, program):
    """The body of a function, in a scope of its own."""
    inner = node.extra.program(node)
    scope = Lowering(low.cell_of)
    scope.states, scope.ok = low.states, low.ok
    for t, outer in zip(inner.feeds, node.inputs, strict=True):
        scope.env[t] = low.value(outer, program)
    scope.run(inner.nodes, inner)
    return [scope.value(t, inner) for t in inner.fetches]


def _cond(low, node, program):
    """A conditional; the states of the cells go through both branches."""
    pred = low.value(node.inputs[0], program)
    bodies = [program.bodies[r] for r in node.extra.regions]
    if known(pred):
        return _taken(low, bodies[0 if pred else 1])
    cells = list(low.states)
    branches = [_branch(low, b, cells) for b in bodies]
    states = [low.states[c] for c in cells]
    shapes = [jax.eval_shape(b, states)[0] for b in branches]
    full = [_with_blanks(b, o) for b, o in zip(branches, reversed(shapes), strict=True)]
    outputs, states, ok = lax.cond(pred, *full, states)
    low.states.update(zip(cells, states, strict=True))
    low.ok.append(ok)
    return outputs


def _taken(low, body):
    low.run(body.nodes, body)
    return [0 if t is None else low.value(t, body) for t in body.fetches]


def _branch(low, body, cells):
    def run(states):
        inner = low.child()
        inner.states = dict(zip(cells, states, strict=True))
        inner.run(body.nodes, body)
        outputs = [
            None if t is None else jnp.asarray(inner.value(t, body), t.dtype.np)
            for t in body.fetches
        ]
        return outputs, [inner.states[c] for c in cells], _all(inner.ok)

    return run


def _with_blanks(branch, other):
    """The branch with zeros for what only the other one gives."""

    def run(states):
        outputs, states, ok = branch(states)
        outputs = [
            jnp.zeros(b.shape, b.dtype) if a is None else a
            for a, b in zip(outputs, other, strict=True)
        ]
        return outputs, states, ok

    return run


def _all(ok):
    return jnp.all(jnp.stack([jnp.all(k) for k in ok])) if ok else jnp.bool_(True)


def _while(low, node, program):
    """A loop; see graph.while_loop for the stacks it keeps."""
    extra = node.extra
    test, body = (program.bodies[r] for r in extra.regions)
    cells, capacity = list(low.states), extra.capacity
    first = [jnp.asarray(low.value(t, program), t.dtype.np) for t in node.inputs]
    saved = body.fetches[len(first) :]
    states = [low.states[c] for c in cells]

    def scope(b, values, states):
        inner = low.child()
        inner.states = dict(zip(cells, states, strict=True))
        inner.env.update(zip(b.feeds, values, strict=True))
        inner.run(b.nodes, b)
        return inner

    def asked(values, states):
        inner = scope(test, values, states)
        go = jnp.asarray(inner.value(test.fetches[0], test))
        return go, [inner.states[c] for c in cells], _all(inner.ok)

    def go_on(carry):
        trips, ok, go = carry[:3]
        return ok & go if extra.limit is None else ok & go & (trips < extra.limit)

    def once(values, states):
        inner = scope(body, values, states)
        found = [jnp.asarray(inner.value(t, body), t.dtype.np) for t in body.fetches]
        states = [inner.states[c] for c in cells]
        return found[: len(first)], states, found[len(first) :], _all(inner.ok)

    def step(carry):
        trips, ok, _, values, states, stacks = carry
        values, states, kept, good = once(values, states)
        go, states, fine = asked(values, states)
        stacks = [
            lax.dynamic_update_index_in_dim(s, k, trips, 0)
            for s, k in zip(stacks, kept, strict=True)
        ]
        return trips + 1, ok & good & fine, go, values, states, stacks

    go, states, ok = asked(first, states)
    shapes = jax.eval_shape(once, first, states)[2]
    stacks = [jnp.zeros((capacity, *s.shape), s.dtype) for s in shapes]
    start = (jnp.int32(0), ok, go, first, states, stacks)
    trips, ok, _, values, states, stacks = lax.while_loop(go_on, step, start)
    low.states.update(zip(cells, states, strict=True))
    low.ok.append(ok & (trips <= capacity) if saved else ok)
    tail = [trips] if len(node.outputs) > len(first) else []
    return [*values, *tail, *stacks]


special.update({"PartitionedCall": _call, "If": _cond, "While": _while})
