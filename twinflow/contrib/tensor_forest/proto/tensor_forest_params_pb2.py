"""How forests grow: TensorForestParams, its parts, and the values of its enums."""

from twinflow.formats import decision_protos


def __getattr__(name):
    found = decision_protos.forest
    for kind in found.messages.names:
        values = dict(getattr(found, kind).items()) if kind.endswith("Type") else {}
        if name in values:
            return values[name]
    return getattr(found, name)
