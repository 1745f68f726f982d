"""Splits of leaves: SplitInfo and ObliviousSplitInfo."""

from twinflow.formats import decision_protos


def __getattr__(name):
    return getattr(decision_protos.learner, name)
