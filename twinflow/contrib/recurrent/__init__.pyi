# Made by `make stubs` from the table of the index.
from twinflow.contrib.recurrent.loops import bidirectional_functional_rnn as bidirectional_functional_rnn
from twinflow.contrib.recurrent.loops import functional_rnn as functional_rnn
from twinflow.contrib.recurrent.steps import Recurrent as Recurrent

__all__ = [
"bidirectional_functional_rnn", "functional_rnn", "Recurrent"
]
