"""Calls of library functions, and If, While and For of them, as plain control flow.

A call becomes the nodes of the function, with the name of the call before theirs. The
node of the call stays, as an IdentityN.

Note [Calls that stay]: a function for which the library names another one that gives
its gradients stays a call, a PartitionedCall, and a SymbolicGradient stays as well:
their module, above the importer, puts into graph_def.made.RULES how these are made.
"""

from typing import Any

from twinflow.base import op_defs
from twinflow.base.op_lookup import known_op
from twinflow.formats import protos
from twinflow.graph.graph_def import newer
from twinflow.graph.graph_def.library_function import gradients_of
from twinflow.graph.v1 import calls, lowered
from twinflow.graph.v1.nodes import ENTER, key_of

_BRANCHES = ("If", "StatelessIf")
_LOOPS = ("While", "StatelessWhile")
WHOLE_CALL = "StatefulPartitionedCall"
_CALLS = ("PartitionedCall", WHOLE_CALL)
_REMOTE = "RemoteCall"  # whose first argument is the device
_MOST_NODES = 1_000_000
_OTHERS = {"For": calls.numbered_loop, "BatchFunction": calls.batched}
CALLS = (*_BRANCHES, *_LOOPS, *_CALLS, _REMOTE, *_OTHERS)


def expanded(node_defs: list, library: Any) -> list:
    """The NodeDefs without calls.

    Args:
        node_defs: those of a GraphDef. library: its FunctionDefLibrary.
    Raises:
        ValueError: a function is not in the library.
    """
    functions = {f.signature.name: f for f in library.function}
    if not any(n.op in CALLS or n.op in functions for n in node_defs):
        return list(node_defs)
    return _Expansion(functions, gradients_of(library)).all(node_defs)


class _Expansion:
    """Functions as nodes.

    Attributes:
        calls: the names of the functions that are being expanded, the outermost first.
        gradients: see library_function.gradients_of.
        made: how many nodes of functions there are.
    """

    def __init__(self, functions: Any, gradients: dict[str, str]) -> None:
        self.functions, self.gradients = functions, gradients
        self.calls: list = []
        self.made = 0

    def all(self, node_defs: Any) -> list:
        """The NodeDefs without calls."""
        return [part for n in node_defs for part in self._parts(n)]

    def _parts(self, node: Any) -> Any:
        if node.op in _BRANCHES:
            return lowered.branch(node, self._body)
        if node.op in _LOOPS:
            fixed = self._fixed(node.attr["body"].func)
            (kind,) = self._kinds(node.attr["cond"].func)
            return lowered.loop(node, self._body, fixed, kind)
        if node.op in _OTHERS:
            return _OTHERS[node.op](node, self._body)
        if node.op in (*_CALLS, _REMOTE):
            return self._called(node, node.attr["f"].func)
        if node.op in self.functions:
            func = protos.NameAttrList(name=node.op, attr=node.attr)
            return self._called(node, func)
        return [node]

    def _called(self, node: Any, func: Any) -> list:
        """The nodes of a call, or one that is a call: Note [Calls that stay]."""
        kept = func.name in self.gradients and node.op != WHOLE_CALL
        return [self._kept(node, func)] if kept else self._call(node, func)

    def _kept(self, node: Any, func: Any) -> Any:
        known_op("SymbolicGradient")  # whose module fills RULES
        made = protos.NodeDef(name=node.name, op="PartitionedCall", device=node.device)
        made.input.extend(node.input[node.op == _REMOTE :])
        made.attr["f"].func.CopyFrom(func)
        made.attr["Tout"].list.type.extend(self._kinds(func))
        args = self._function(func.name).signature.input_arg
        kinds = [arg.type or func.attr[arg.type_attr].type for arg in args]
        made.attr["Tin"].list.type.extend(kinds)
        return made

    def _call(self, node: Any, func: Any) -> list:
        args, waits = lowered.inputs_of(node)
        args = args[1:] if node.op == _REMOTE else args
        body = self._body(func, node.name, args, waits)
        waits = [*waits, *body.effects]
        return [
            *body.nodes,
            lowered.whole(node, body.results, waits, self._kinds(func)),
        ]

    def _fixed(self, func: Any) -> set:
        """The places of the arguments that a function gives back as they are."""
        function = self._function(func.name)
        pairs = zip(
            function.signature.input_arg, function.signature.output_arg, strict=True
        )
        return {
            i for i, (a, out) in enumerate(pairs) if function.ret[out.name] == a.name
        }

    def _kinds(self, func: Any) -> list:
        """The types of what a function gives."""
        outs = self._function(func.name).signature.output_arg
        return [out.type or func.attr[out.type_attr].type for out in outs]

    def _function(self, name: str) -> Any:
        if name not in self.functions:
            raise ValueError(f"The function {name!r} is not in the library.")
        return self.functions[name]

    def _body(self, func: Any, scope: Any, args: Any, waits: Any) -> Any:
        """The Body of a call; see graph.v1.lowered."""
        function = self._function(func.name)
        self._check(function, scope)
        names = _Names(function, scope, args, self.functions)
        nodes = [_placed(n, func, names, waits) for n in function.node_def]
        effects = [
            f"^{scope}/{n.name}"
            for n in function.node_def
            if _has_effects(n, self.functions)
        ]
        outs = function.signature.output_arg
        results = [names.text(function.ret[out.name]) for out in outs]
        self.calls.append(func.name)
        body = lowered.Body(self.all(nodes), results, effects)
        self.calls.pop()
        return body

    def _check(self, function: Any, scope: Any) -> None:
        """Raise ValueError where the expansion would have no end, or none soon."""
        name = function.signature.name
        if name in self.calls:
            chain = " -> ".join([*self.calls[self.calls.index(name) :], name])
            raise ValueError(
                f"Node '{scope}': the function {name!r} calls itself: {chain}"
            )
        self.made += len(function.node_def)
        if self.made > _MOST_NODES:
            raise ValueError(
                f"Node '{scope}': with the calls inside of calls there are more than "
                f"{_MOST_NODES} nodes"
            )


def _placed(node: Any, func: Any, names: Any, waits: Any) -> Any:
    """A node of a function as one of the graph around it."""
    made = protos.NodeDef()
    made.CopyFrom(node)
    made.name = f"{names.scope}/{node.name}"
    del made.input[:]
    made.input.extend(names.text(i) for i in node.input)
    if not any(names.is_inside(i) for i in node.input):
        made.input.extend(waits)
    _put_types(made.attr, func.attr)
    if node.op in ENTER:
        frame = node.attr["frame_name"].s
        made.attr["frame_name"].s = f"{names.scope}/".encode() + frame
    return made


def _put_types(attrs: Any, given: Any) -> None:
    """Put the attributes of a function where its nodes and their calls name them."""
    for key in list(attrs):
        value = attrs[key]
        if value.WhichOneof("value") == "placeholder":
            value.CopyFrom(given[value.placeholder])
        for func in [value.func] if value.HasField("func") else value.list.func:
            _put_types(func.attr, given)


class _Names:
    """How the inputs of the nodes of a function are called outside."""

    def __init__(self, function: Any, scope: Any, args: Any, functions: Any) -> None:
        self.scope, self.functions = scope, functions
        self.args = {}
        for arg, text in zip(function.signature.input_arg, args, strict=True):
            self.args[arg.name] = text
        self.nodes = {n.name: n for n in function.node_def}

    def is_inside(self, text: str) -> Any:
        """Whether an input is given by a node of the function."""
        return text.startswith("^") or text.partition(":")[0] in self.nodes

    def text(self, text: str) -> Any:
        """The input of a NodeDef for an input of a node of the function."""
        if text.startswith("^"):
            if text[1:] in self.args:
                return f"^{key_of(self.args[text[1:]])[0]}"
            return f"^{self.scope}/{text[1:]}"
        name, _, rest = text.partition(":")
        if name in self.args:
            return self.args[name]
        out, _, index = rest.partition(":")
        place = self._place(self.nodes[name], out) + int(index or 0)
        return f"{self.scope}/{name}:{place}"

    def _place(self, node: Any, out: Any) -> Any:
        """The place of the first tensor of an output."""
        found = op_defs.find(node.op) or newer.find(node.op)
        if node.op in self.functions:
            names = [a.name for a in self.functions[node.op].signature.output_arg]
            return names.index(out)
        if found is None:
            raise ValueError(f"Op type not registered '{node.op}'")
        place = 0
        for arg in found.outputs:
            if arg.name == out:
                return place
            if arg.number_attr:
                place += node.attr[arg.number_attr].i
            elif arg.list_attr:
                place += len(node.attr[arg.list_attr].list.type)
            else:
                place += 1
        raise ValueError(f"{node.op!r} has no output {out!r}: {node.name!r}")


def _has_effects(node: Any, functions: Any) -> Any:
    if node.op in CALLS or node.op in functions:
        return not node.op.startswith("Stateless") and node.op != "PartitionedCall"
    op = known_op(node.op)
    return op is not None and op.stateful
