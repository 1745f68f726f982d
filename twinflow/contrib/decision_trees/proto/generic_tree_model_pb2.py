"""Trees as any program may exchange them."""

from twinflow.formats import decision_protos


def __getattr__(name):
    return getattr(decision_protos.generic, name)
