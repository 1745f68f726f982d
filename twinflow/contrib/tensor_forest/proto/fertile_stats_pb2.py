"""What leaves that may still split have counted: FertileStats and its parts."""

from twinflow.formats import decision_protos


def __getattr__(name):
    return getattr(decision_protos.forest, name)
