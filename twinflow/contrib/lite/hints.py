"""Parts of a graph that stand for one custom operator of TensorFlow Lite.

What goes into a part and comes out of it passes through Identity nodes, whose
attributes say which operator it is and which of its arguments they are.
"""

import uuid
from collections.abc import Callable, Iterable
from typing import Any

from twinflow.contrib.lite.stubs import without_pairs, without_part
from twinflow.formats import protos
from twinflow.ops.core.constant import identity

_KEPT = "_tflite_attr_"


class OpHint:
    """Marks a part of a graph as one custom operator.

    Args:
        function_name: str, the operator. **kwargs: numbers and texts that it keeps.
    Example:
        hint = tf.contrib.lite.OpHint("Cool")
        x = hint.add_input(tf.placeholder(tf.float32, [2], name="x"))
        y = tf.identity(hint.add_output(tf.sin(x) * 2.), name="y")
        stubbed = tf.contrib.lite.convert_op_hints_to_stubs(
            graph_def=y.graph.as_graph_def())
        "Cool" in [node.op for node in stubbed.node]  # True
    """

    FUNCTION_NAME_ATTR = "_tflite_function_name"
    FUNCTION_UUID_ATTR = "_tflite_function_uuid"
    FUNCTION_INPUT_INDEX_ATTR = "_tflite_function_input_index"
    FUNCTION_OUTPUT_INDEX_ATTR = "_tflite_function_output_index"
    FUNCTION_SORT_INDEX_ATTR = "_tflite_function_sort_index"
    FUNCTION_AGGREGATE_ATTR = "_tflite_function_aggregate"
    TFLITE_INPUT_INDICES = "_tflite_input_indices"
    AGGREGATE_STACK = b"stack"
    AGGREGATE_FIRST = b"first"
    AGGREGATE_LAST = b"last"

    class OpHintArgumentTracker:
        """Numbers the arguments on one side of an operator.

        Args:
            function_name: the operator. unique_function_id: of this use of it.
            node_name_prefix: of the names of the nodes. attr_name: of the attribute
                that holds the number.
        """

        def __init__(
            self, function_name: str, unique_function_id: str, node_name_prefix: str,
            attr_name: str, kept: dict | None = None,
        ) -> None:  # fmt: skip
            self._name, self._id = function_name, unique_function_id
            self._prefix, self._attr, self._more = node_name_prefix, attr_name, kept
            self._used: set[int] = set()
            self._tags: dict[str, list[int]] = {}  # {tag: [number, how many so far]}

        def _number(self, wanted: int | None) -> int:
            if wanted is None:
                wanted = next(i for i in range(len(self._used) + 1)
                              if i not in self._used)  # fmt: skip
            elif wanted in self._used:
                raise ValueError(
                    f"Index {wanted} was already used by another call to add"
                )
            self._used.add(wanted)
            return wanted

        def _tagged(self, tag: str, wanted: int | None) -> tuple[int, int]:
            if tag not in self._tags:
                self._tags[tag] = [self._number(wanted), 0]
            entry = self._tags[tag]
            if wanted and wanted != entry[0]:
                raise ValueError(
                    f"Tag {tag!r} was called with two indices {wanted!r} and "
                    f"{entry[0]!r}"
                )
            entry[1] += 1
            return entry[0], entry[1] - 1

        def add(
            self, arg: Any, tag: str | None = None, name: str | None = None,
            aggregate: Any = None, index_override: int | None = None,
        ) -> Any:  # fmt: skip
            """Mark a tensor as an argument.

            Args:
                arg: the tensor. tag: what arguments that become one have in common.
                name: a part of the node's name. aggregate: how they become one:
                    OpHint.AGGREGATE_FIRST, _LAST or _STACK. index_override: int, which
                    argument it is, by default the next one.
            Returns:
                The tensor that stands for it.
            Raises:
                ValueError: tag and aggregate do not go together, or a number is taken.
            """
            sort = None
            if tag is None:
                if aggregate is not None:
                    raise ValueError("You must specify `tag` if using aggregate.")
                index = self._number(index_override)
            else:
                if aggregate is None:
                    raise ValueError("You must specify `aggregate` if using tag.")
                index, sort = self._tagged(tag, index_override)
            label = f"{self._prefix}-{self._name}-{self._id}-{index!r}-{sort!r}-{name}"
            made = identity(arg, name=label)
            marks = {
                OpHint.FUNCTION_NAME_ATTR: self._name,
                OpHint.FUNCTION_UUID_ATTR: self._id, self._attr: index,
                OpHint.FUNCTION_SORT_INDEX_ATTR: sort,
                OpHint.FUNCTION_AGGREGATE_ATTR: aggregate,
                **{_KEPT + k: v for k, v in (self._more or {}).items()},
            }  # fmt: skip
            for key, value in marks.items():
                if value is not None:
                    made.op._set_attr(key, _attr(value))
            return made

    def __init__(self, function_name: str, **kwargs: Any) -> None:
        self._function_name = function_name
        self._unique_function_id = uuid.uuid1().hex
        make = OpHint.OpHintArgumentTracker
        self._inputs = make(
            function_name, self._unique_function_id, "InputHint",
            OpHint.FUNCTION_INPUT_INDEX_ATTR, kwargs,
        )  # fmt: skip
        self._outputs = make(
            function_name,
            self._unique_function_id,
            "OutputHint",
            OpHint.FUNCTION_OUTPUT_INDEX_ATTR,
        )

    def add_input(self, *args: Any, **kwargs: Any) -> Any:
        """Mark a tensor as an input; see OpHintArgumentTracker.add."""
        return self._inputs.add(*args, **kwargs)

    def add_output(self, *args: Any, **kwargs: Any) -> Any:
        """Mark a tensor as an output; see OpHintArgumentTracker.add."""
        return self._outputs.add(*args, **kwargs)

    def add_inputs(self, *args: Any, **kwargs: Any) -> list:
        """Mark tensors as inputs.

        Args:
            *args: tensors. names: list of str, of all of them.
        Returns:
            list of the tensors that stand for them.
        """
        return _several(self._inputs, args, kwargs)

    def add_outputs(self, *args: Any, **kwargs: Any) -> list:
        """Mark tensors as outputs; see add_inputs."""
        return _several(self._outputs, args, kwargs)


def _several(tracker: Any, args: Iterable, kwargs: dict) -> list:
    names = kwargs.get("names")
    if names is None:
        return [tracker.add(arg) for arg in args]
    return [tracker.add(arg, name=name) for arg, name in zip(args, names)]


def _attr(value: Any) -> Any:
    """An AttrValue."""
    if isinstance(value, bool):
        return protos.AttrValue(b=value)
    if isinstance(value, int):
        return protos.AttrValue(i=value)
    if isinstance(value, float):
        return protos.AttrValue(f=value)
    return protos.AttrValue(s=value if isinstance(value, bytes) else value.encode())


# -------------------------------------------------------------------------------- stubs
class Argument:
    """An argument of an operator: one node, or several that become one.

    Attributes:
        nodes: {place among those of its tag: NodeDef}. aggregate: how they become one.
    """

    def __init__(self) -> None:
        self.nodes: dict[int, Any] = {}
        self.aggregate: bytes | None = None

    def chosen(self) -> list:
        """The nodes that count."""
        missing = [i for i in range(len(self.nodes)) if i not in self.nodes]
        if missing:
            raise RuntimeError("Aggregate was missing argument.")
        found = [self.nodes[i] for i in range(len(self.nodes))]
        kinds = {
            None: found, OpHint.AGGREGATE_FIRST: found[:1],
            OpHint.AGGREGATE_LAST: found[-1:], OpHint.AGGREGATE_STACK: found,
        }  # fmt: skip
        if self.aggregate not in kinds:
            raise ValueError(f"Invalid aggregation type {self.aggregate!r} specified")
        return kinds[self.aggregate]


class Part:
    """A part of a graph that is one operator.

    Attributes:
        kind: the operator. name: of the node that will stand for it. inputs, outputs:
            {number: Argument}. attrs: {name: AttrValue} that it keeps.
    """

    def __init__(self, name: str) -> None:
        self.name, self.kind = name, ""
        self.inputs: dict[int, Argument] = {}
        self.outputs: dict[int, Argument] = {}
        self.attrs: dict[str, Any] = {}

    def add(self, node: Any) -> None:
        """Take a marked node in."""
        attr = node.attr
        self.kind = attr[OpHint.FUNCTION_NAME_ATTR].s.decode()
        sort = attr[OpHint.FUNCTION_SORT_INDEX_ATTR].i if (
            OpHint.FUNCTION_SORT_INDEX_ATTR in attr
        ) else 0  # fmt: skip
        sides = (OpHint.FUNCTION_INPUT_INDEX_ATTR, self.inputs), (
            OpHint.FUNCTION_OUTPUT_INDEX_ATTR, self.outputs,
        )  # fmt: skip
        for key, side in sides:
            if key in attr:
                found = side.setdefault(attr[key].i, Argument())
                found.nodes[sort] = node
                if OpHint.FUNCTION_AGGREGATE_ATTR in attr:
                    found.aggregate = attr[OpHint.FUNCTION_AGGREGATE_ATTR].s
        kept = ((k, v) for k, v in attr.items() if k.startswith(_KEPT))
        self.attrs.update((k.removeprefix(_KEPT), v) for k, v in kept)


def _parts(graph_def: Any) -> list[Part]:
    found: dict[str, Part] = {}
    for node in graph_def.node:
        if OpHint.FUNCTION_UUID_ATTR in node.attr:
            name = node.attr[OpHint.FUNCTION_UUID_ATTR].s.decode()
            found.setdefault(name, Part(name)).add(node)
    return list(found.values())


def convert_op_hints_to_stubs(
    session: Any = None, graph_def: Any = None,
    write_callback: Callable = lambda graph_def, comments: None,
) -> Any:  # fmt: skip
    """A GraphDef in which each part that an OpHint marks is one node of its operator.

    Args:
        session: a Session, whose graph it is; or graph_def: a GraphDef.
        write_callback: function of a GraphDef and a text, called after each part.
    Returns:
        GraphDef; import_graph_def does not know the operators in it.
    Raises:
        ValueError: both are given, or none. TypeError: a part uses something from
        outside that is no argument.
    """
    if session is not None and graph_def is not None:
        raise ValueError("Provide only one of session and graph_def.")
    if session is None and graph_def is None:
        raise ValueError("Must specify session or graph_def as input.")
    found = graph_def if session is None else session.graph.as_graph_def()
    for part in _parts(found):
        found = without_part(found, part)
        write_callback(found, "initial")
    return without_pairs(found)
