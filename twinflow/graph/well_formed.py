"""Well-formed graphs: what must hold of every graph and program."""

from typing import TYPE_CHECKING, Any

from twinflow.base.tensor import Tensor
from twinflow.graph.program import regions
from twinflow.graph.regions import visible

if TYPE_CHECKING:
    from twinflow.graph.node import GraphTensor
    from twinflow.graph.program import Program


class Invalid(Exception):  # an internal fault, never the user's
    """A graph or program that a part of twinflow has built wrongly."""


def check_graph(graph: Any) -> None:
    """Check the nodes of a graph.

    Raises:
        Invalid: a node comes before its inputs, uses a tensor that it cannot see, or
            disagrees with its op's signature.
    """
    for place, node in enumerate(graph.nodes):
        if node.index != place or graph.by_name.get(node.name) is not node:
            raise Invalid(f"{node!r} is not where its graph says.")
        for t in node.inputs:
            _check_input(node, t)
        _check_dtypes(node)


def _check_input(node: Any, t: Any) -> None:
    if t.op.graph is not node.graph:
        raise Invalid(f"{node!r} uses {t!r} of another graph.")
    if t.op.index >= node.index:
        raise Invalid(f"{node!r} uses {t!r}, which is made later.")
    if not visible(t, node.region):
        raise Invalid(f"{node!r} uses {t!r} from inside {t.op.region.label!r}.")


def _check_dtypes(node: Any) -> None:
    for spec, a in zip(node.opdef.sig.inputs, node.args(), strict=True):
        if spec.mixed:
            continue
        wanted = node.types.get(spec.type_attr, spec.dtype)
        for t in a if type(a) is list else [a]:
            found = t.dtype.base_dtype
            if wanted is not None and found is not wanted and not spec.host:
                raise Invalid(f"{node!r} takes {wanted} as {spec.name}, has {t!r}.")


def check_program(program: "Program", after: str) -> None:
    """Check that every value a program uses is made before, fed or constant.

    Args:
        after: the name of the pass that ran last, for the message.
    Raises:
        Invalid: a tensor is used that nothing gives.
    """
    _check_program(program, {program.resolve(t) for t in program.feeds}, after)


def _check_program(program: "Program", made: set[Tensor], after: str) -> None:
    made = set(made)
    for node in program.nodes:
        for t in node.inputs:
            _check_made(program, t, made, node, after)
        for r in regions(node):
            body = program.bodies[r]
            _check_program(body, made | set(body.feeds), after)
        made.update(node.outputs)
    for t in program.fetches:
        if t is not None:
            _check_made(program, t, made, "the fetches", after)


def _check_made(
    program: "Program", t: "GraphTensor", made: set, user: Any, after: str
) -> None:
    t = program.resolve(t)
    if t in made or t.op.opdef.home is not None or program.const(t) is not None:
        return
    raise Invalid(f"After {after}: {user} needs {t!r}, which nothing computes.")
