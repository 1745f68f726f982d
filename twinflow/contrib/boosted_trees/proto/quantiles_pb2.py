"""Summaries of numbers by their quantiles."""

from twinflow.formats import decision_protos


def __getattr__(name):
    return getattr(decision_protos.quantiles, name)
