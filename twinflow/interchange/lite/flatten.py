"""A graph as TensorFlow Lite takes it: known shapes, and neither loops nor calls.

Each node is copied with the inputs that it has by then, so that shapes are inferred
anew from those of the model's inputs. What depends on constants alone becomes one. A
loop is unrolled, a branch that is known is taken, and of one that is not both sides are
computed. A tensor array is a list of tensors while its loop is unrolled.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from twinflow.base import dispatch, errors, progress
from twinflow.execute.node_errors import at_node
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.copying import Copies, copied_node
from twinflow.graph.program import Program, build
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.compare import where
from twinflow.ops.core.joining import concat, stack, unstack
from twinflow.passes.fold import computed

_TURNS = 4096  # of a loop that is unrolled
_FORWARDS = frozenset((
    "CheckNumerics", "DeepCopy", "EnsureShape", "GuaranteeConst", "Identity",
    "PlaceholderWithDefault", "PreventGradient", "Print", "Snapshot", "StopGradient",
))  # fmt: skip
_NOTHING = frozenset(("Assert", "ControlTrigger", "NoOp", "TensorArrayCloseV3"))
_SIZES = {
    "Shape": lambda shape: shape, "Size": lambda shape: np.prod(shape, dtype=int),
    "Rank": lambda shape: len(shape),
}  # fmt: skip
_KEPT = ("FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxArgs")  # they carry ranges


class Flat:
    """The copy of a graph.

    Args:
        source: the graph in which the user made the nodes, for errors; or None.
    Attributes:
        graph: the new Graph. values: {tensor: its copy, or the list of a tensor array}.
    """

    def __init__(self, source: Any = None) -> None:
        self.source, self.graph = source, Graph()
        self.values: dict = {}
        self.program: Any = None

    def input(self, t: Any, shape: Sequence | None, dtype: Any = None) -> Any:
        """The placeholder that stands for a tensor."""
        with dispatch.entered(self.graph):
            made = placeholder(dtype or t.dtype, shape, t.op.name)
        self.values[t] = made
        return made

    def run(self, program: Program) -> list:
        """Copy the nodes of a program; what its results have become."""
        outer, self.program = self.program, program
        for node in progress.over("reading nodes", program.nodes):
            if not (node.outputs and program.is_fed(node)):
                self._copy(node)
        self.program = outer
        return [None if t is None else self.values.get(t) for t in program.fetches]

    def refuse(self, node: Any, why: str) -> None:
        """Say that a node cannot be written.

        Raises:
            UnimplementedError: always, with the op, the node and the user's line.
        """
        raise refusal(node, why, self.source)

    # -------------------------------------------------------------------------- nodes
    def _copy(self, node: Any) -> None:
        self.graph.made_at = node.frames
        rule = _RULES.get(node.type)
        if rule is not None:
            found = rule(self, node)
        elif node.type in _FORWARDS:
            found = [self.values[node.inputs[0]]]
        elif node.type in _NOTHING:
            found = []
        else:
            found = self._computed(node) or self._copied(node)
        self.values.update(zip(node.outputs, found))

    def _copied(self, node: Any) -> list:
        inputs = [self.values[t] for t in node.inputs]
        for t in inputs:
            if isinstance(t, list):
                self.refuse(node, "it takes a tensor array as a whole")
        name = self.graph.unique_name(node.name)
        made = copied_node(node, self.graph, name, inputs, Copies({}, {}))
        return made.outputs

    def _computed(self, node: Any) -> list | None:
        """The values of a node that depends on constants alone, as constants."""
        found = None
        if node.type in _SIZES:
            shape = self.values[node.inputs[0]]._shape
            if shape is not None and None not in shape:
                found = [np.asarray(_SIZES[node.type](shape))]
        elif node.type != "Const" and node.type not in _KEPT and _is_pure(node):
            args = [self._known(a) for a in node.args()]
            if all(a is not None for a in args):
                found = computed(node, args)
        if found is None:
            return None
        pairs = zip(node.outputs, found, strict=True)
        return [self.constant(a, t.dtype.base_dtype, node.name) for t, a in pairs]

    def _known(self, a: Any) -> Any:
        if type(a) is list:
            found = [self._known(t) for t in a]
            return None if any(f is None for f in found) else found
        return known(self.values[a])

    def constant(self, array: Any, dtype: Any, name: str) -> Any:
        """A Const node."""
        held = array if dtype.np is None else np.asarray(array, dtype.np)
        with dispatch.entered(self.graph):
            return self.graph.make_constant(held, dtype, name)

    def number(self, node: Any, t: Any, what: str) -> Any:
        """The value of a tensor that has to be known.

        Raises:
            UnimplementedError: only a run knows it.
        """
        found = known(self.values[t])
        if found is None:
            self.refuse(node, f"{what} has to be a constant")
        return found

    # ------------------------------------------------------------------- control flow
    def _if(self, node: Any) -> list:
        programs = [self.program.bodies[r] for r in node.extra.regions]
        pred = self.values[node.inputs[0]]
        taken = known(pred)
        if taken is not None:
            return self.run(programs[0 if taken else 1])
        sides = [self.run(p) for p in programs]
        with dispatch.entered(self.graph):
            return [self._chosen(node, pred, *pair) for pair in zip(*sides)]

    def _chosen(self, node: Any, pred: Any, a: Any, b: Any) -> Any:
        if a is b or a is None or b is None:
            return b if a is None else a
        if isinstance(a, list) or a._shape != b._shape:
            self.refuse(node, "its branches give values of different shapes")
        return where(pred, a, b, name=node.name)

    def _while(self, node: Any) -> list:
        cond, body = node.extra.regions
        programs = self.program.bodies
        state = [self.values[t] for t in node.inputs]
        for _ in range(_TURNS):
            self.values.update(zip(cond.params, state))
            again = known(self.run(programs[cond])[0])
            if again is None:
                self.refuse(node, "how often it turns is known by a run alone")
            if not again:
                return state
            self.values.update(zip(body.params, state))
            state = self.run(programs[body])[: len(state)]
        return self.refuse(node, f"it turns more than {_TURNS} times") or []

    def _call(self, node: Any) -> list:
        graph, outputs = node.attrs["f"], node.attrs["outputs"]
        given = [self.values[t] for t in node.inputs]
        self.values.update(zip(graph.all_inputs, given))
        return self.run(build(graph, list(outputs), (), graph.all_inputs))

    # ------------------------------------------------------------------ tensor arrays
    def _array(self, node: Any) -> list:
        size = int(self.number(node, node.inputs[0], "the size of a tensor array"))
        return [None, [None] * size]

    def _write(self, node: Any) -> list:
        _, index, value, flow = node.inputs
        place = int(self.number(node, index, "a place in a tensor array"))
        entries = list(self.values[flow])
        entries += [None] * (place + 1 - len(entries))
        entries[place] = self.values[value]
        return [entries]

    def _read(self, node: Any) -> list:
        _, index, flow = node.inputs
        place = int(self.number(node, index, "a place in a tensor array"))
        return [self._entries(node, flow, [place])[0]]

    def _entries(self, node: Any, flow: Any, places: Any) -> list:
        entries = self.values[flow]
        found = [entries[i] if i < len(entries) else None for i in places]
        if None in found:
            self.refuse(node, "it reads an element that nothing has written")
        return found

    def _gather(self, node: Any) -> list:
        _, indices, flow = node.inputs
        places = self.number(node, indices, "what is read of a tensor array")
        found = self._entries(node, flow, places.tolist())
        with dispatch.entered(self.graph):
            return [stack(found, name=node.name)]

    def _scatter(self, node: Any) -> list:
        _, indices, value, flow = node.inputs
        places = self.number(node, indices, "what is written of a tensor array")
        with dispatch.entered(self.graph):
            parts = unstack(self.values[value], len(places), name=node.name)
        entries = list(self.values[flow])
        entries += [None] * (int(max(places, default=-1)) + 1 - len(entries))
        for place, part in zip(places.tolist(), parts, strict=True):
            entries[place] = part
        return [entries]

    def _array_size(self, node: Any) -> list:
        size = len(self.values[node.inputs[1]])
        return [self.constant(size, node.outputs[0].dtype, node.name)]

    def _joined(self, node: Any) -> list:
        flow = node.inputs[1]
        found = self._entries(node, flow, range(len(self.values[flow])))
        lengths = [t._shape[0] for t in found]
        with dispatch.entered(self.graph):
            whole = concat(found, 0, name=node.name)
        return [whole, self.constant(lengths, node.outputs[1].dtype, node.name)]


_RULES = {
    "If": Flat._if, "While": Flat._while, "PartitionedCall": Flat._call,
    "TensorArrayV3": Flat._array, "TensorArrayWriteV3": Flat._write,
    "TensorArrayReadV3": Flat._read, "TensorArrayGatherV3": Flat._gather,
    "TensorArrayScatterV3": Flat._scatter, "TensorArraySizeV3": Flat._array_size,
    "TensorArrayConcatV3": Flat._joined,
}  # fmt: skip


def _is_pure(node: Any) -> bool:
    op = node.opdef
    return not op.stateful and op.home is None and node.extra is None


def known(t: Any) -> Any:
    """The value of a tensor that is a constant, else None."""
    is_constant = getattr(getattr(t, "op", None), "type", None) == "Const"
    return t.op.attrs["value"] if is_constant else None


def refusal(node: Any, why: str, source: Any = None) -> Exception:
    """The error of a node that TensorFlow Lite has no counterpart for.

    Args:
        source: the graph in which the user made it, or None.
    """
    mine = None if source is None else source.by_name.get(node.name)
    text = (
        f"'{node.type}' of the node '{node.name}' cannot be written to TensorFlow "
        f"Lite: {why}. Set allow_custom_ops=True to write it as a custom op, for which "
        "the interpreter has to have a kernel, or use tf.onnx.export."
    )
    shown = mine or node
    return at_node(errors.UnimplementedError(None, shown, text), shown)
