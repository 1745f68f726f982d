"""tf.contrib.metrics: what TensorFlow 1.12 had beside tf.metrics."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.math.confusion_matrix: confusion_matrix
twinflow.contrib.streaming: streaming_mean streaming_mean_tensor streaming_accuracy
twinflow.contrib.streaming: streaming_mean_absolute_error
twinflow.contrib.streaming: streaming_mean_cosine_distance
twinflow.contrib.streaming: streaming_mean_relative_error streaming_mean_squared_error
twinflow.contrib.streaming: streaming_root_mean_squared_error
twinflow.contrib.streaming: streaming_percentage_less streaming_true_positives
twinflow.contrib.streaming: streaming_true_negatives streaming_false_positives
twinflow.contrib.streaming: streaming_false_negatives streaming_precision
twinflow.contrib.streaming: streaming_recall streaming_true_positives_at_thresholds
twinflow.contrib.streaming: streaming_true_negatives_at_thresholds
twinflow.contrib.streaming: streaming_false_positives_at_thresholds
twinflow.contrib.streaming: streaming_false_negatives_at_thresholds
twinflow.contrib.streaming: streaming_precision_at_thresholds
twinflow.contrib.streaming: streaming_recall_at_thresholds streaming_auc
twinflow.contrib.streaming: streaming_sensitivity_at_specificity
twinflow.contrib.streaming: streaming_specificity_at_sensitivity streaming_mean_iou
twinflow.contrib.streaming: streaming_sparse_precision_at_k
twinflow.contrib.streaming: streaming_sparse_recall_at_k
twinflow.contrib.streaming: streaming_sparse_average_precision_at_k accuracy
twinflow.contrib.streaming: aggregate_metrics aggregate_metric_map
""",
)
