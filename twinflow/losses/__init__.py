"""tf.losses: loss functions and the collection of losses."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.losses.losses: absolute_difference hinge_loss huber_loss log_loss
twinflow.losses.losses: mean_squared_error sigmoid_cross_entropy softmax_cross_entropy
twinflow.losses.losses: sparse_softmax_cross_entropy cosine_distance
twinflow.losses.losses: mean_pairwise_squared_error
twinflow.losses.weighting: Reduction compute_weighted_loss
twinflow.losses.collection: add_loss get_losses get_regularization_loss
twinflow.losses.collection: get_regularization_losses get_total_loss
""",
)
