"""Questions that generic trees may ask beside inequalities."""

from twinflow.formats import decision_protos


def __getattr__(name):
    return getattr(decision_protos.generic, name)
