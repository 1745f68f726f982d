# Made by `make stubs` from the table of the index.
from twinflow.metrics.means import mean as mean
from twinflow.metrics.means import mean_tensor as mean_tensor
from twinflow.metrics.means import accuracy as accuracy
from twinflow.metrics.means import mean_absolute_error as mean_absolute_error
from twinflow.metrics.means import mean_cosine_distance as mean_cosine_distance
from twinflow.metrics.means import mean_relative_error as mean_relative_error
from twinflow.metrics.means import mean_squared_error as mean_squared_error
from twinflow.metrics.means import percentage_below as percentage_below
from twinflow.metrics.means import root_mean_squared_error as root_mean_squared_error
from twinflow.metrics.counts import true_positives as true_positives
from twinflow.metrics.counts import true_negatives as true_negatives
from twinflow.metrics.counts import false_positives as false_positives
from twinflow.metrics.counts import false_negatives as false_negatives
from twinflow.metrics.counts import precision as precision
from twinflow.metrics.counts import recall as recall
from twinflow.metrics.thresholds import true_positives_at_thresholds as true_positives_at_thresholds
from twinflow.metrics.thresholds import true_negatives_at_thresholds as true_negatives_at_thresholds
from twinflow.metrics.thresholds import false_positives_at_thresholds as false_positives_at_thresholds
from twinflow.metrics.thresholds import false_negatives_at_thresholds as false_negatives_at_thresholds
from twinflow.metrics.thresholds import precision_at_thresholds as precision_at_thresholds
from twinflow.metrics.thresholds import recall_at_thresholds as recall_at_thresholds
from twinflow.metrics.curves import auc as auc
from twinflow.metrics.curves import sensitivity_at_specificity as sensitivity_at_specificity
from twinflow.metrics.curves import specificity_at_sensitivity as specificity_at_sensitivity
from twinflow.metrics.per_class import mean_iou as mean_iou
from twinflow.metrics.per_class import mean_per_class_accuracy as mean_per_class_accuracy
from twinflow.metrics.ranked import precision_at_k as precision_at_k
from twinflow.metrics.ranked import precision_at_top_k as precision_at_top_k
from twinflow.metrics.ranked import sparse_precision_at_k as sparse_precision_at_k
from twinflow.metrics.ranked import recall_at_k as recall_at_k
from twinflow.metrics.ranked import recall_at_top_k as recall_at_top_k
from twinflow.metrics.average_precision import average_precision_at_k as average_precision_at_k
from twinflow.metrics.average_precision import sparse_average_precision_at_k as sparse_average_precision_at_k

__all__ = [
"mean", "mean_tensor", "accuracy", "mean_absolute_error", "mean_cosine_distance",
"mean_relative_error", "mean_squared_error", "percentage_below",
"root_mean_squared_error", "true_positives", "true_negatives", "false_positives",
"false_negatives", "precision", "recall", "true_positives_at_thresholds",
"true_negatives_at_thresholds", "false_positives_at_thresholds",
"false_negatives_at_thresholds", "precision_at_thresholds", "recall_at_thresholds",
"auc", "sensitivity_at_specificity", "specificity_at_sensitivity", "mean_iou",
"mean_per_class_accuracy", "precision_at_k", "precision_at_top_k",
"sparse_precision_at_k", "recall_at_k", "recall_at_top_k", "average_precision_at_k",
"sparse_average_precision_at_k"
]
