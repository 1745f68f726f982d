# Made by `make stubs` from the table of the index.
from twinflow.ops.arrays.sorting import nth_element as nth_element
from twinflow.ops.nn.convolution import conv1d_transpose as conv1d_transpose
from twinflow.contrib.nn.functions import alpha_dropout as alpha_dropout
from twinflow.contrib.nn.functions import rank_sampled_softmax_loss as rank_sampled_softmax_loss
from twinflow.contrib.nn.functions import scaled_softplus as scaled_softplus
from twinflow.contrib.nn.functions import sampled_sparse_softmax_loss as sampled_sparse_softmax_loss
from twinflow.contrib.nn.functions import deprecated_flipped_sigmoid_cross_entropy_with_logits as deprecated_flipped_sigmoid_cross_entropy_with_logits
from twinflow.contrib.nn.functions import deprecated_flipped_softmax_cross_entropy_with_logits as deprecated_flipped_softmax_cross_entropy_with_logits
from twinflow.contrib.nn.functions import deprecated_flipped_sparse_softmax_cross_entropy_with_logits as deprecated_flipped_sparse_softmax_cross_entropy_with_logits

__all__ = [
"nth_element", "conv1d_transpose", "alpha_dropout", "rank_sampled_softmax_loss",
"scaled_softplus", "sampled_sparse_softmax_loss",
"deprecated_flipped_sigmoid_cross_entropy_with_logits",
"deprecated_flipped_softmax_cross_entropy_with_logits",
"deprecated_flipped_sparse_softmax_cross_entropy_with_logits"
]
