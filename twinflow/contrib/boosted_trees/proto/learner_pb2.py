"""How trees are learnt: LearnerConfig and its parts."""

from twinflow.formats import decision_protos


def __getattr__(name):
    return getattr(decision_protos.learner, name)
