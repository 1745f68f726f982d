"""What a GraphDef must fulfil to be imported, with TensorFlow's texts."""

import re
import socket
from typing import TYPE_CHECKING, Any

from twinflow.base import errors, unsupported
from twinflow.base.op import Op
from twinflow.base.shapes import TensorShape
from twinflow.base.versions import (
    GRAPH_DEF_VERSION,
    GRAPH_DEF_VERSION_MIN_PRODUCER,
    VERSION,
)
from twinflow.formats import attr_values

if TYPE_CHECKING:
    from twinflow.graph.node import Node

_NAME = re.compile(r"[A-Za-z0-9.][A-Za-z0-9_.\\/-]*$")


def check_versions(versions: Any) -> None:
    """Refuse GraphDefs that say that this version cannot read them."""
    if versions.producer < GRAPH_DEF_VERSION_MIN_PRODUCER:
        raise ValueError(
            f"GraphDef producer version {versions.producer} below min producer "
            f"{GRAPH_DEF_VERSION_MIN_PRODUCER} supported by TensorFlow {VERSION}.  "
            "Please regenerate your graph."
        )
    if versions.min_consumer > GRAPH_DEF_VERSION:
        raise ValueError(
            f"GraphDef min consumer version {versions.min_consumer} above current "
            f"version {GRAPH_DEF_VERSION} for TensorFlow {VERSION}.  Please upgrade "
            "TensorFlow."
        )
    if GRAPH_DEF_VERSION in versions.bad_consumers:
        raise ValueError(
            f"GraphDef disallows consumer version {GRAPH_DEF_VERSION}.  Please upgrade "
            "TensorFlow: this version is likely buggy."
        )


def check_names(node_defs: Any) -> None:
    """Every node has a valid name of its own, and its control inputs come last."""
    seen = set()
    for n in node_defs:
        if not _NAME.match(n.name):
            raise ValueError(f"Node '{n.name}': Node name contains invalid characters")
        if n.name in seen:
            raise ValueError(f"Node '{n.name}' is not unique")
        seen.add(n.name)
        carets = [t[:1] == "^" for t in n.input]
        if True in carets and sorted(carets) != carets:
            raise ValueError(
                f"Node '{n.name}': Control dependencies must come after regular "
                "dependencies"
            )
    for n in node_defs:
        if "_class" in n.attr:
            _check_class(n, seen)


def _check_class(node_def: Any, names: set[str]) -> None:
    for group in colocated(node_def.attr.get("_class")):
        if group not in names:
            raise ValueError(
                f"Node '{node_def.name}' expects to be colocated with unknown node "
                f"'{group}'"
            )


def colocated(proto: Any) -> list[str]:
    """The names of the nodes that a `_class` attribute (or None) names."""
    found = [s.decode() for s in proto.list.s] if proto is not None else []
    return [s.removeprefix("loc:@") for s in found if s.startswith("loc:@")]


def check_importable(op: Op | None, node_def: Any) -> None:
    """Refuse a node whose op is not known, or is known but cannot be imported.

    Args:
        op: the Op, or None.
    Raises:
        NotFoundError: naming the node, the op, and what to do instead.
    """
    if op is not None:
        return
    group = unsupported.group_of_op(node_def.op)
    if group is None:
        hint = (
            "Make sure the Op and Kernel are registered in the binary running in this "
            "process. Note that if you are loading a saved graph which used ops from "
            "tf.contrib, accessing (e.g.) `tf.contrib.resampler` should be done before "
            "importing the graph, as contrib ops are lazily registered when the module "
            "is first accessed."
        )
    else:
        hint = (
            f"Node '{node_def.name}' cannot be imported ({group.title}): {group.reason}"
        )
    raise errors.NotFoundError(
        None, None,
        f"Op type not registered '{node_def.op}' in binary running on "
        f"{socket.gethostname()}. {hint}",
    )  # fmt: skip


def merge_shapes(node: "Node", listed: Any) -> None:
    """Refine the shapes of a node by those that the GraphDef says.

    Raises:
        ValueError: they contradict what is inferred here.
    """
    for i, (t, proto) in enumerate(zip(node.outputs, listed, strict=False)):
        try:
            merged = TensorShape(t._shape).merge_with(attr_values.shape_of(proto))
            t._shape = merged.tuple
        except ValueError:
            try:
                t.set_shape(attr_values.shape_of(proto))
            except ValueError as error:
                raise ValueError(
                    f"Node '{node.name}' has an _output_shapes attribute inconsistent "
                    f"with the GraphDef for output #{i}: {error}"
                ) from None
