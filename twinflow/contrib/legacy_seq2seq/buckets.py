"""Models for sequences of several lengths."""

from typing import Any

from twinflow.contrib.seq2seq.loss import list_loss, sequence_loss_by_example
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import get_variable_scope, variable_scope


def model_with_buckets(
    encoder_inputs: Any, decoder_inputs: Any, targets: Any, weights: Any, buckets: Any,
    seq2seq: Any, softmax_loss_function: Any = None, per_example_loss: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """A model for each bucket of lengths, all with the same variables.

    Args:
        encoder_inputs, decoder_inputs: lists of steps, for the longest bucket.
        targets, weights: lists of int[batch] and float[batch].
        buckets: a list of (length read, length written), the longest one last.
        seq2seq: a function of (encoder inputs, decoder inputs); gives (outputs, state).
        softmax_loss_function: see `sequence_loss`.
        per_example_loss: whether losses are float[batch]. name: the name scope.
    Returns:
        (a list of lists of outputs, a list of losses)
    Raises:
        ValueError: a list is shorter than the last bucket.
    """
    read, written = buckets[-1]
    lengths = {
        "encoder_inputs": (encoder_inputs, read), "targets": (targets, written),
        "weights": (weights, written),
    }  # fmt: skip
    for what, (given, wanted) in lengths.items():
        if len(given) < wanted:
            raise ValueError(
                f"Length of {what} ({len(given)}) must be at least that of last bucket "
                f"({wanted})."
            )
    loss_of = sequence_loss_by_example if per_example_loss else list_loss
    outputs, losses = [], []
    with name_scope(name, "model_with_buckets"):
        for i, (n, m) in enumerate(buckets):
            with variable_scope(get_variable_scope(), reuse=True if i > 0 else None):
                found, _ = seq2seq(encoder_inputs[:n], decoder_inputs[:m])
            outputs.append(found)
            losses.append(
                loss_of(
                    found,
                    targets[:m],
                    weights[:m],
                    softmax_loss_function=softmax_loss_function,
                )
            )
    return outputs, losses
