"""Drop the nodes that nothing needs any more."""

from twinflow.graph.program import regions


def prune(program):
    """Keep effects and what they and the fetches are computed from."""
    needed = set(_unknown(program, (t for t in program.fetches if t is not None)))
    kept, before = [], set()
    for node in reversed(program.nodes):
        effect = node.opdef.stateful or _has_effects(node, program)
        effect = effect or node in program.targets
        if not (effect or node in before or needed.intersection(node.outputs)):
            continue
        kept.append(node)
        before.update(program.controls(node))
        needed.update(_unknown(program, node.inputs))
        for r in regions(node):
            needed.update(program.bodies[r].outer_inputs())
    program.nodes = kept[::-1]


def _unknown(program, tensors):
    """What still has to be computed, or waited for, to have `tensors`."""
    found = map(program.resolve, tensors)
    return (t for t in found if program.const(t) is None or t.op.after)


def _has_effects(node, program):
    return any(
        n.opdef.stateful or _has_effects(n, program.bodies[r])
        for r in regions(node)
        for n in program.bodies[r].nodes
    )
