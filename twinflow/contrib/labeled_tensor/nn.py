"""Activations and losses of labeled tensors."""

from typing import Any

from twinflow.contrib.labeled_tensor.elementwise import (
    define_binary_op,
    define_unary_op,
)
from twinflow.ops.core import rounding
from twinflow.ops.nn import activation, dropout, logistic, loss
from twinflow.ops.nn import softmax as exponents


def _cross_entropy(function: Any) -> Any:
    return lambda logits, labels, name=None: function(
        labels=labels, logits=logits, name=name
    )


relu = define_unary_op("relu", activation.relu)
relu6 = define_unary_op("relu6", activation.relu6)
crelu = define_unary_op("crelu", activation.crelu)
elu = define_unary_op("elu", activation.elu)
softplus = define_unary_op("softplus", rounding.softplus)
l2_loss = define_unary_op("l2_loss", dropout.l2_loss)
softmax = define_unary_op("softmax", exponents.softmax)
log_softmax = define_unary_op("log_softmax", exponents.log_softmax)
sigmoid_cross_entropy_with_logits = define_binary_op(
    "sigmoid_cross_entropy_with_logits",
    _cross_entropy(logistic.sigmoid_cross_entropy_with_logits),
)
softmax_cross_entropy_with_logits = define_binary_op(
    "softmax_cross_entropy_with_logits",
    _cross_entropy(loss.softmax_cross_entropy_with_logits),
)
sparse_softmax_cross_entropy_with_logits = define_binary_op(
    "sparse_softmax_cross_entropy_with_logits",
    _cross_entropy(loss.sparse_softmax_cross_entropy_with_logits),
)
