"""How forests grow: TensorForestParams, its parts, and the values of its enums."""

from twinflow.formats import decision_protos


def __getattr__(name):
    found = decision_protos.forest
    for kind in found.messages.names:
        if kind.endswith("Type") and name in getattr(found, kind).keys():
            return getattr(found, kind).Value(name)
    return getattr(found, name)
