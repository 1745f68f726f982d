# Made by `make stubs` from the table of the index.
from twinflow.losses.losses import absolute_difference as absolute_difference
from twinflow.losses.losses import hinge_loss as hinge_loss
from twinflow.losses.losses import huber_loss as huber_loss
from twinflow.losses.losses import log_loss as log_loss
from twinflow.losses.losses import mean_squared_error as mean_squared_error
from twinflow.losses.losses import sigmoid_cross_entropy as sigmoid_cross_entropy
from twinflow.losses.losses import softmax_cross_entropy as softmax_cross_entropy
from twinflow.losses.losses import sparse_softmax_cross_entropy as sparse_softmax_cross_entropy
from twinflow.losses.losses import cosine_distance as cosine_distance
from twinflow.losses.losses import mean_pairwise_squared_error as mean_pairwise_squared_error
from twinflow.losses.weighting import Reduction as Reduction
from twinflow.losses.weighting import compute_weighted_loss as compute_weighted_loss
from twinflow.losses.collection import add_loss as add_loss
from twinflow.losses.collection import get_losses as get_losses
from twinflow.losses.collection import get_regularization_loss as get_regularization_loss
from twinflow.losses.collection import get_regularization_losses as get_regularization_losses
from twinflow.losses.collection import get_total_loss as get_total_loss

__all__ = [
"absolute_difference", "hinge_loss", "huber_loss", "log_loss", "mean_squared_error",
"sigmoid_cross_entropy", "softmax_cross_entropy", "sparse_softmax_cross_entropy",
"cosine_distance", "mean_pairwise_squared_error", "Reduction", "compute_weighted_loss",
"add_loss", "get_losses", "get_regularization_loss", "get_regularization_losses",
"get_total_loss"
]
