# Made by `make stubs` from the table of the index.
from twinflow.ops.math.confusion_matrix import confusion_matrix as confusion_matrix
from twinflow.contrib.metrics.streaming import streaming_mean as streaming_mean
from twinflow.contrib.metrics.streaming import streaming_mean_tensor as streaming_mean_tensor
from twinflow.contrib.metrics.streaming import streaming_accuracy as streaming_accuracy
from twinflow.contrib.metrics.streaming import streaming_mean_absolute_error as streaming_mean_absolute_error
from twinflow.contrib.metrics.streaming import streaming_mean_cosine_distance as streaming_mean_cosine_distance
from twinflow.contrib.metrics.streaming import streaming_mean_relative_error as streaming_mean_relative_error
from twinflow.contrib.metrics.streaming import streaming_mean_squared_error as streaming_mean_squared_error
from twinflow.contrib.metrics.streaming import streaming_root_mean_squared_error as streaming_root_mean_squared_error
from twinflow.contrib.metrics.streaming import streaming_percentage_less as streaming_percentage_less
from twinflow.contrib.metrics.streaming import streaming_true_positives as streaming_true_positives
from twinflow.contrib.metrics.streaming import streaming_true_negatives as streaming_true_negatives
from twinflow.contrib.metrics.streaming import streaming_false_positives as streaming_false_positives
from twinflow.contrib.metrics.streaming import streaming_false_negatives as streaming_false_negatives
from twinflow.contrib.metrics.streaming import streaming_precision as streaming_precision
from twinflow.contrib.metrics.streaming import streaming_recall as streaming_recall
from twinflow.contrib.metrics.streaming import streaming_precision_at_thresholds as streaming_precision_at_thresholds
from twinflow.contrib.metrics.streaming import streaming_recall_at_thresholds as streaming_recall_at_thresholds
from twinflow.contrib.metrics.streaming import streaming_auc as streaming_auc
from twinflow.contrib.metrics.streaming import streaming_sensitivity_at_specificity as streaming_sensitivity_at_specificity
from twinflow.contrib.metrics.streaming import streaming_specificity_at_sensitivity as streaming_specificity_at_sensitivity
from twinflow.contrib.metrics.streaming import streaming_mean_iou as streaming_mean_iou
from twinflow.contrib.metrics.streaming import streaming_sparse_precision_at_k as streaming_sparse_precision_at_k
from twinflow.contrib.metrics.streaming import streaming_sparse_recall_at_k as streaming_sparse_recall_at_k
from twinflow.contrib.metrics.streaming import streaming_sparse_average_precision_at_k as streaming_sparse_average_precision_at_k
from twinflow.contrib.metrics.streaming import accuracy as accuracy
from twinflow.contrib.metrics.streaming import aggregate_metrics as aggregate_metrics
from twinflow.contrib.metrics.streaming import aggregate_metric_map as aggregate_metric_map
from twinflow.contrib.metrics.streaming import sparse_recall_at_top_k as sparse_recall_at_top_k
from twinflow.contrib.metrics.streaming import streaming_recall_at_k as streaming_recall_at_k
from twinflow.contrib.metrics.streaming import streaming_sparse_precision_at_top_k as streaming_sparse_precision_at_top_k
from twinflow.contrib.metrics.streaming import streaming_sparse_average_precision_at_top_k as streaming_sparse_average_precision_at_top_k
from twinflow.contrib.metrics.rates import streaming_true_positives_at_thresholds as streaming_true_positives_at_thresholds
from twinflow.contrib.metrics.rates import streaming_true_negatives_at_thresholds as streaming_true_negatives_at_thresholds
from twinflow.contrib.metrics.rates import streaming_false_positives_at_thresholds as streaming_false_positives_at_thresholds
from twinflow.contrib.metrics.rates import streaming_false_negatives_at_thresholds as streaming_false_negatives_at_thresholds
from twinflow.contrib.metrics.rates import streaming_false_positive_rate as streaming_false_positive_rate
from twinflow.contrib.metrics.rates import streaming_false_negative_rate as streaming_false_negative_rate
from twinflow.contrib.metrics.rates import streaming_false_positive_rate_at_thresholds as streaming_false_positive_rate_at_thresholds
from twinflow.contrib.metrics.rates import streaming_false_negative_rate_at_thresholds as streaming_false_negative_rate_at_thresholds
from twinflow.contrib.metrics.rates import streaming_curve_points as streaming_curve_points
from twinflow.contrib.metrics.rates import f1_score as f1_score
from twinflow.contrib.metrics.rates import recall_at_precision as recall_at_precision
from twinflow.contrib.metrics.rates import precision_at_recall as precision_at_recall
from twinflow.contrib.metrics.statistics import cohen_kappa as cohen_kappa
from twinflow.contrib.metrics.statistics import count as count
from twinflow.contrib.metrics.statistics import streaming_covariance as streaming_covariance
from twinflow.contrib.metrics.statistics import streaming_pearson_correlation as streaming_pearson_correlation
from twinflow.contrib.metrics.samples import auc_with_confidence_intervals as auc_with_confidence_intervals
from twinflow.contrib.metrics.samples import streaming_concat as streaming_concat
from twinflow.contrib.metrics.samples import streaming_dynamic_auc as streaming_dynamic_auc
from twinflow.contrib.metrics.buckets import auc_using_histogram as auc_using_histogram
from twinflow.contrib.metrics.buckets import precision_recall_at_equal_thresholds as precision_recall_at_equal_thresholds
from twinflow.ops.sparse.sets import set_difference as set_difference
from twinflow.ops.sparse.sets import set_intersection as set_intersection
from twinflow.ops.sparse.sets import set_size as set_size
from twinflow.ops.sparse.sets import set_union as set_union

__all__ = [
"confusion_matrix", "streaming_mean", "streaming_mean_tensor", "streaming_accuracy",
"streaming_mean_absolute_error", "streaming_mean_cosine_distance",
"streaming_mean_relative_error", "streaming_mean_squared_error",
"streaming_root_mean_squared_error", "streaming_percentage_less",
"streaming_true_positives", "streaming_true_negatives", "streaming_false_positives",
"streaming_false_negatives", "streaming_precision", "streaming_recall",
"streaming_precision_at_thresholds", "streaming_recall_at_thresholds", "streaming_auc",
"streaming_sensitivity_at_specificity", "streaming_specificity_at_sensitivity",
"streaming_mean_iou", "streaming_sparse_precision_at_k", "streaming_sparse_recall_at_k",
"streaming_sparse_average_precision_at_k", "accuracy", "aggregate_metrics",
"aggregate_metric_map", "sparse_recall_at_top_k", "streaming_recall_at_k",
"streaming_sparse_precision_at_top_k", "streaming_sparse_average_precision_at_top_k",
"streaming_true_positives_at_thresholds", "streaming_true_negatives_at_thresholds",
"streaming_false_positives_at_thresholds", "streaming_false_negatives_at_thresholds",
"streaming_false_positive_rate", "streaming_false_negative_rate",
"streaming_false_positive_rate_at_thresholds",
"streaming_false_negative_rate_at_thresholds", "streaming_curve_points", "f1_score",
"recall_at_precision", "precision_at_recall", "cohen_kappa", "count",
"streaming_covariance", "streaming_pearson_correlation",
"auc_with_confidence_intervals", "streaming_concat", "streaming_dynamic_auc",
"auc_using_histogram", "precision_recall_at_equal_thresholds", "set_difference",
"set_intersection", "set_size", "set_union"
]
