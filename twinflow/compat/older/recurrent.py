"""`tensorflow.models.rnn.rnn`: recurrent networks unrolled, by their older names."""

from twinflow.rnn.dynamic import bidirectional_dynamic_rnn, dynamic_rnn
from twinflow.rnn.static import static_bidirectional_rnn as bidirectional_rnn
from twinflow.rnn.static import static_rnn as rnn
from twinflow.rnn.static import static_state_saving_rnn as state_saving_rnn

__all__ = [
    "bidirectional_dynamic_rnn", "bidirectional_rnn", "dynamic_rnn", "rnn",
    "state_saving_rnn",
]  # fmt: skip
