"""How the members of collections become protocol buffers, and come back."""

from collections.abc import Callable
from typing import Any, NamedTuple

from twinflow.base.advice import advised
from twinflow.formats import protos
from twinflow.ops.variables.collections import GraphKeys
from twinflow.ops.variables.creators import VariableV1


class _Functions(NamedTuple):
    proto_type: Any
    to_proto: Any
    from_proto: Any


_registered: dict[str, _Functions] = {}


def register_proto_function(
    collection_name: str, proto_type: type | None = None,
    to_proto: Callable | None = None, from_proto: Callable | None = None,
) -> None:  # fmt: skip
    """Say how the members of a collection are written into a MetaGraphDef.

    Args:
        collection_name: the name of the collection. proto_type: the message class.
        to_proto: ``(member, export_scope) -> message``, None = leave it out.
        from_proto: ``(message, import_scope) -> member``.
    Raises:
        TypeError: one of them is not callable.
    """
    for what, function in (("to_proto", to_proto), ("from_proto", from_proto)):
        if function and not callable(function):
            raise advised(TypeError, f"{what} must be callable.")
    found = _Functions(proto_type, to_proto, from_proto)
    _registered[collection_name] = found


def _get(collection_name: str) -> _Functions:
    return _registered.get(collection_name, _Functions(None, None, None))


def get_collection_proto_type(collection_name: str) -> Any:
    """The message class of a collection, or None."""
    return _get(collection_name).proto_type


def get_to_proto_function(collection_name: str) -> Callable | None:
    """The `to_proto` of a collection, or None."""
    return _get(collection_name).to_proto


def get_from_proto_function(collection_name: str) -> Any:
    """The `from_proto` of a collection, or None."""
    return _get(collection_name).from_proto


def _to_proto(variable: Any, export_scope: Any = None) -> Any:
    return variable.to_proto(export_scope=export_scope)


VARIABLE_COLLECTIONS = (
    GraphKeys.GLOBAL_VARIABLES, GraphKeys.TRAINABLE_VARIABLES,
    GraphKeys.MOVING_AVERAGE_VARIABLES, GraphKeys.LOCAL_VARIABLES,
    GraphKeys.MODEL_VARIABLES, GraphKeys.GLOBAL_STEP,
    GraphKeys.TRAINABLE_RESOURCE_VARIABLES,
)  # fmt: skip
for _key in VARIABLE_COLLECTIONS:
    register_proto_function(_key, protos.VariableDef, _to_proto, VariableV1.from_proto)
