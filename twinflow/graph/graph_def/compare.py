"""tf.test.assert_equal_graph_def: what tells two GraphDefs apart."""

import re
from typing import Any

from twinflow.formats import protos
from twinflow.formats.tensor_proto import from_proto
from twinflow.graph.graph_def import texts

_TEMPORARY = re.compile(rb"_temp_[0-9a-z]{32}/part")


def assert_equal_graph_def(
    actual: Any, expected: Any, checkpoint_v2: Any = False
) -> None:
    """Two GraphDefs hold the same nodes, whatever their order and versions.

    Args:
        actual, expected: GraphDefs. checkpoint_v2: overlook the names that saving makes
            for temporary files.
    Raises:
        AssertionError: they differ; the text says where. TypeError: one is no GraphDef.
    """
    for what, proto in (("actual", actual), ("expected", expected)):
        if not isinstance(proto, protos.GraphDef):
            raise TypeError(f"Expected tf.GraphDef for {what}, got {_name(proto)}")
    if checkpoint_v2:
        actual, expected = _without_names(actual), _without_names(expected)
    found = {n.name: n for n in actual.node}
    for node in expected.node:
        other = found.pop(node.name, None)
        if other is None:
            raise AssertionError(f"Did not find expected node '{texts.node(node)}'")
        _compare(other, node)
    if found:
        node = next(iter(found.values()))
        raise AssertionError(f"Found unexpected node '{texts.node(node)}'")


def _name(value: Any) -> Any:
    return type(value).__name__


def _without_names(graph_def: Any) -> Any:
    out = protos.GraphDef()
    out.CopyFrom(graph_def)
    for node in out.node:
        if node.op == "Const":
            values = node.attr["value"].tensor.string_val
            values[:] = [b"" if _TEMPORARY.match(v) else v for v in values]
    return out


def _compare(node: Any, other: Any) -> None:
    start = f"Node named '{node.name}'"
    if node.op != other.op:
        _fail(f"{start} has op '{node.op}' that is not expected '{other.op}'")
    if node.device != other.device:
        _fail(
            f"{start} has device '{node.device}' that is not expected '{other.device}'"
        )
    _compare_inputs(start, list(node.input), list(other.input))
    _compare_attrs(start, node.attr, other.attr)


def _fail(text: str) -> Any:
    raise AssertionError(text)


def _compare_inputs(start: Any, found: Any, wanted: Any) -> None:
    if len(found) != len(wanted):
        _fail(
            f"{start} has inputs '{', '.join(found)}' that don't match expected "
            f"'{', '.join(wanted)}'"
        )
    for i, (a, b) in enumerate(zip(found, wanted, strict=True)):
        if a != b and not a.startswith("^"):
            _fail(f"{start} has input {i} '{a}' that doesn't match expected '{b}'")
    after = {a for a in found if a.startswith("^")}
    for b in wanted:
        if b.startswith("^") and b not in after:
            _fail(f"{start} missing expected control input '{b}'")


def _compare_attrs(start: Any, found: Any, wanted: Any) -> None:
    for name, value in wanted.items():
        if name.startswith("_"):
            continue
        text = texts.attr(value)
        if name not in found:
            _fail(f"{start} missing expected attr '{name}' with value: {text}")
        if not _equal(found[name], value):
            _fail(
                f"{start} has attr '{name}' with value: {texts.attr(found[name])} "
                f"that does not match expected: {text}"
            )
    for name, value in found.items():
        if name not in wanted and not name.startswith("_"):
            _fail(f"{start} has unexpected attr '{name}' with value: "
                  f"{texts.attr(value)}")  # fmt: skip


def _equal(a: Any, b: Any) -> Any:
    if a == b or a.WhichOneof("value") != b.WhichOneof("value"):
        return a == b
    if a.WhichOneof("value") != "tensor" or a.tensor.dtype != b.tensor.dtype:
        return False
    x, y = from_proto(a.tensor), from_proto(b.tensor)
    return x.shape == y.shape and x.tobytes() == y.tobytes()
