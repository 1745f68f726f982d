"""tf.metrics: what a model does well, added up over batches."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.metrics.means: mean mean_tensor accuracy mean_absolute_error
twinflow.metrics.means: mean_cosine_distance mean_relative_error mean_squared_error
twinflow.metrics.means: percentage_below root_mean_squared_error
twinflow.metrics.counts: true_positives true_negatives false_positives false_negatives
twinflow.metrics.counts: precision recall
twinflow.metrics.thresholds: true_positives_at_thresholds true_negatives_at_thresholds
twinflow.metrics.thresholds: false_positives_at_thresholds
twinflow.metrics.thresholds: false_negatives_at_thresholds precision_at_thresholds
twinflow.metrics.thresholds: recall_at_thresholds
twinflow.metrics.curves: auc sensitivity_at_specificity specificity_at_sensitivity
twinflow.metrics.per_class: mean_iou mean_per_class_accuracy
twinflow.metrics.ranked: precision_at_k precision_at_top_k sparse_precision_at_k
twinflow.metrics.ranked: recall_at_k recall_at_top_k
twinflow.metrics.average_precision: average_precision_at_k
twinflow.metrics.average_precision: sparse_average_precision_at_k
""",
)
