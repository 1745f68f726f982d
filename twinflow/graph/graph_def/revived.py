"""Nodes that GraphDefs hold as others, which TensorFlow reads, and that come back here.

Note [Revived nodes]: some datasets are no nodes of TensorFlow's, such as those of
Python generators, and so the GraphDef of what starts or saves an iterator over one
holds a NoOp or a constant. Attributes beside the op's own, which
TensorFlow leaves alone, say what it was, of which inputs, and which object of this
process it needs. The last few such objects are kept: a GraphDef that is imported
where it was exported finds its datasets, as it finds the functions of tf.py_func.
"""

import collections
import itertools
import uuid
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from twinflow.base.op_lookup import known_op
from twinflow.formats import protos
from twinflow.formats.attr_values import to_proto
from twinflow.graph.graph_def.parts import Parts

if TYPE_CHECKING:
    from twinflow.graph.graph_def.importer import Importer
    from twinflow.graph.node import Node

_OP, _INPUTS, _OBJECT = "_twin_op", "_twin_inputs", "_twin_object"
_KEPT = 32  # objects that nothing else holds any more

rules: dict[str, Callable] = {}  # op type: (graph, name, inputs, object) -> Node

_last: collections.OrderedDict = collections.OrderedDict()
_by_token: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
_tokens: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
_numbers = itertools.count(1)
_PROCESS = uuid.uuid4().hex  # what another process says is none of ours


def mark(parts: Parts, needs: Any = None) -> None:
    """Say in the last NodeDef of `parts` what it stands for.

    Args:
        needs: the object of this process that the node needs, if any.
    """
    proto, op = parts.made[-1], parts.node.type
    proto.attr[_OP].CopyFrom(to_proto(op.encode(), "string"))
    inputs = [t.encode() for t in parts.inputs]
    proto.attr[_INPUTS].CopyFrom(to_proto(inputs, "list(string)"))
    before = (f"^{t.partition(':')[0]}" for t in parts.inputs)
    proto.input.extend(t for t in dict.fromkeys(before) if t not in proto.input)
    if needs is not None:
        proto.attr[_OBJECT].CopyFrom(to_proto(token_of(needs), "string"))


def token_of(thing: Any) -> bytes:
    """Bytes by which this process finds an object, which it keeps for a while."""
    token = _tokens.get(thing)
    if token is None:
        token = _tokens[thing] = f"{_PROCESS} {next(_numbers)}".encode()
        _by_token[token] = thing
    _last[token] = thing
    _last.move_to_end(token)
    while len(_last) > _KEPT:
        _last.popitem(last=False)
    return token


def of_token(token: bytes) -> Any:
    """The object of `token_of`, or None."""
    return _by_token.get(token)


def revived(importer: "Importer", node_def: Any) -> "Node | None":
    """The node that a NodeDef was made of, if all that it needs is there."""
    given = node_def.attr
    if _OP not in given:
        return None
    found = None
    if _OBJECT in given:
        found = of_token(given[_OBJECT].s)
        if found is None:
            return None
    texts = [t.decode() for t in given[_INPUTS].list.s]
    if not all(importer.has(t) for t in texts):
        return None
    kind = given[_OP].s.decode()
    if known_op(kind) is None or kind not in rules:
        return None
    inputs = [importer.tensor(t) for t in texts]
    name = importer.name(node_def.name) + "/"
    with importer.graph.device(None):
        return rules[kind](importer.graph, name, inputs, found)


def without_marks(node_def: Any) -> Any:
    """A NodeDef with the control inputs and attributes that its node had."""
    plain = protos.NodeDef()
    plain.CopyFrom(node_def)
    ours = {f"^{t.decode().partition(':')[0]}" for t in plain.attr[_INPUTS].list.s}
    kept = [t for t in plain.input if t not in ours]
    del plain.input[:]
    plain.input.extend(kept)
    for key in (_OP, _INPUTS, _OBJECT):
        plain.attr.pop(key, None)
    return plain
