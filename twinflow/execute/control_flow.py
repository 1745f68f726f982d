"""Cond and While in the interpreter."""

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.execute.dead_tensors import side_slots
from twinflow.execute.interpreter import execute, special_steps
from twinflow.graph.while_node import capacity_for
from twinflow.ops.core.flow import NOTHING


def _cond_step(asm, node, program):
    pred = asm.slot(node.inputs[0], program)
    branches = []
    outs = [asm.slot(t, program) for t in node.outputs]
    for region in node.extra.regions:
        body = program.bodies[region]
        steps = asm.assemble(body.nodes, body)
        found, reads = asm.results(body.fetches, body)
        results = [
            _blank(asm, t) if r is None else r
            for r, t in zip(found, node.outputs, strict=False)
        ]
        steps += reads
        branches.append((steps, results))
        outs = outs[: len(results)]

    def run(v):
        p = v[pred]
        if np.ndim(p):
            raise errors.InvalidArgumentError(
                None,
                None,
                f"The predicate of a cond must be a scalar, got shape {p.shape}",
            )
        steps, results = branches[0 if p else 1]
        execute(steps, v)
        for o, r in zip(outs, results, strict=False):
            v[o] = v[r]

    return run


def _blank(asm, t):
    """A slot with zeros for a value that only the other branch gives."""
    slot = asm.new_slot()
    blank = np.zeros([d or 0 for d in t._shape or ()], t.dtype.np)
    asm.values[slot] = NOTHING if t.dtype is dtypes.flow else blank
    return slot


def _while_step(asm, node, program):
    extra = node.extra
    cond, body = (program.bodies[r] for r in extra.regions)
    first = [asm.slot(t, program) for t in node.inputs]
    params = [[asm.slot(p, b) for p in b.feeds] for b in (cond, body)]
    steps = [asm.assemble(b.nodes, b) for b in (cond, body)]
    (test,), reads = asm.results(cond.fetches[:1], cond)
    steps[0] += reads
    found, reads = asm.results(body.fetches, body)
    steps[1] += reads
    results = found[: len(first)]
    n = len(first)
    kept = [i for i, t in enumerate(body.fetches) if i >= n and t is not None]
    saved_tensors = [body.fetches[i] for i in kept]
    saved = [found[i] for i in kept]
    tail_outs = [] if extra.trips is None else [n, *(i + 1 for i in kept)]
    outs = [asm.slot(node.outputs[i], program) for i in (*range(n), *tail_outs)]

    def run(v):
        state = [v[i] for i in first]
        stacks: list = [[] for _ in saved]
        trips = 0
        while True:
            _put(v, params[0], state)
            execute(steps[0], v)
            if not v[test]:
                break
            _put(v, params[1], state)
            execute(steps[1], v)
            state = [v[i] for i in results]
            for stack, i in zip(stacks, saved, strict=True):
                stack.append(v[i])
            trips += 1
        extra.capacity = max(extra.capacity, capacity_for(trips))
        tail = [np.int32(trips)] if len(outs) > n else []
        full = [_stack(s, t) for s, t in zip(stacks, saved_tensors, strict=True)]
        _put(v, outs, state + tail + full)

    return run


def _put(v, slots, values):
    for slot, value in zip(slots, values, strict=True):
        v[slot] = value


def _stack(entries, t):
    """The entries as one array, with zeros up to its capacity.

    Stacks of inner loops, and blanks of branches not taken, are padded with zeros;
    other entries of different shapes stay what they are, in an array of objects.
    """
    capacity = capacity_for(len(entries))
    if t.dtype is dtypes.variant:
        return _objects(entries, capacity)
    if not entries:
        shape = [d or 0 for d in t._shape or ()]
        return np.zeros((capacity, *shape), t.dtype.np)
    blanks = t.op.type == "If"
    found = {np.shape(e) for e in entries if np.size(e) or not blanks}
    if len(found) > 1 and not _is_stack(t):
        return _objects(entries, capacity)
    shape = np.max([np.shape(e) for e in entries], axis=0).astype(int)
    out = np.zeros((capacity, *shape), t.dtype.np)
    for i, e in enumerate(entries):
        place: tuple = (i, *map(slice, np.shape(e)))
        out[place] = e
    return out


def _objects(entries, capacity):
    """The entries as an array of objects."""
    found = np.empty(capacity, object)
    for i, e in enumerate(entries):
        found[i] = e
    return found


def _is_stack(t):
    """Whether `t` is the stack of an inner loop, perhaps from inside a branch."""
    extra = t.op.extra
    if t.op.type == "While":
        return t.value_index > len(extra.body.params)
    if t.op.type == "If":
        found = [r.results[t.value_index] for r in extra.regions]
        return any(r is not None and _is_stack(r) for r in found)
    return False


def _merge_step(asm, node, program):
    """A Merge looks at no shapes: some of its inputs are dead."""
    ins = [asm.slot(t, program) for t in node.inputs]
    outs = [asm.place(t, program) for t in node.outputs]
    kernel = node.opdef.np

    def run(v):
        _put(v, outs, kernel([v[i] for i in ins]))

    return run


def _ref_switch_step(asm, node, program):
    """A RefSwitch only says which side is there."""
    pred, sides = asm.slot(node.inputs[1], program), side_slots(asm, node)

    def run(v):
        _put(v, sides, (not v[pred], bool(v[pred])))

    return run


special_steps["RefSwitch"] = _ref_switch_step
special_steps["Merge"] = special_steps["RefMerge"] = _merge_step
special_steps["If"] = _cond_step
special_steps["While"] = _while_step
