"""Trees and their ensembles."""

from twinflow.formats import decision_protos


def __getattr__(name):
    return getattr(decision_protos.ensembles, name)
