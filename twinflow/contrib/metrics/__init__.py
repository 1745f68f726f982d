"""tf.contrib.metrics: what TensorFlow 1.12 had beside tf.metrics."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.math.confusion_matrix: confusion_matrix
twinflow.contrib.metrics.streaming: streaming_mean streaming_mean_tensor
twinflow.contrib.metrics.streaming: streaming_accuracy
twinflow.contrib.metrics.streaming: streaming_mean_absolute_error
twinflow.contrib.metrics.streaming: streaming_mean_cosine_distance
twinflow.contrib.metrics.streaming: streaming_mean_relative_error
twinflow.contrib.metrics.streaming: streaming_mean_squared_error
twinflow.contrib.metrics.streaming: streaming_root_mean_squared_error
twinflow.contrib.metrics.streaming: streaming_percentage_less streaming_true_positives
twinflow.contrib.metrics.streaming: streaming_true_negatives streaming_false_positives
twinflow.contrib.metrics.streaming: streaming_false_negatives streaming_precision
twinflow.contrib.metrics.streaming: streaming_recall
twinflow.contrib.metrics.streaming: streaming_precision_at_thresholds
twinflow.contrib.metrics.streaming: streaming_recall_at_thresholds streaming_auc
twinflow.contrib.metrics.streaming: streaming_sensitivity_at_specificity
twinflow.contrib.metrics.streaming: streaming_specificity_at_sensitivity
twinflow.contrib.metrics.streaming: streaming_mean_iou
twinflow.contrib.metrics.streaming: streaming_sparse_precision_at_k
twinflow.contrib.metrics.streaming: streaming_sparse_recall_at_k
twinflow.contrib.metrics.streaming: streaming_sparse_average_precision_at_k accuracy
twinflow.contrib.metrics.streaming: aggregate_metrics aggregate_metric_map
twinflow.contrib.metrics.streaming: sparse_recall_at_top_k streaming_recall_at_k
twinflow.contrib.metrics.streaming: streaming_sparse_precision_at_top_k
twinflow.contrib.metrics.streaming: streaming_sparse_average_precision_at_top_k
twinflow.contrib.metrics.rates: streaming_true_positives_at_thresholds
twinflow.contrib.metrics.rates: streaming_true_negatives_at_thresholds
twinflow.contrib.metrics.rates: streaming_false_positives_at_thresholds
twinflow.contrib.metrics.rates: streaming_false_negatives_at_thresholds
twinflow.contrib.metrics.rates: streaming_false_positive_rate
twinflow.contrib.metrics.rates: streaming_false_negative_rate
twinflow.contrib.metrics.rates: streaming_false_positive_rate_at_thresholds
twinflow.contrib.metrics.rates: streaming_false_negative_rate_at_thresholds
twinflow.contrib.metrics.rates: streaming_curve_points f1_score recall_at_precision
twinflow.contrib.metrics.rates: precision_at_recall
twinflow.contrib.metrics.statistics: cohen_kappa count streaming_covariance
twinflow.contrib.metrics.statistics: streaming_pearson_correlation
twinflow.contrib.metrics.samples: auc_with_confidence_intervals streaming_concat
twinflow.contrib.metrics.samples: streaming_dynamic_auc
twinflow.contrib.metrics.buckets: auc_using_histogram
twinflow.contrib.metrics.buckets: precision_recall_at_equal_thresholds
twinflow.ops.sparse.sets: set_difference set_intersection set_size set_union
""",
)
