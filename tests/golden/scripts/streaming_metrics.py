# tf.metrics over batches: local variables, resets, confusion matrices, thresholds, weights.
from __future__ import division
from __future__ import print_function

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(37)
LABELS = rng.randint(0, 3, 30)
LOGITS = rng.randn(30, 3).astype(np.float32) + 1.5 * np.eye(3)[LABELS].astype(np.float32)
WEIGHTS = rng.randint(0, 3, 30).astype(np.float32)


def confusion(labels, predictions, classes, scope='confusion'):
    """A confusion matrix that grows, as programs wrote it."""
    with tf.variable_scope(scope):
        matrix = tf.get_variable('matrix', [classes, classes], tf.int32, tf.zeros_initializer(),
                                 trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES])
        batch = tf.confusion_matrix(labels, predictions, num_classes=classes)
        return tf.convert_to_tensor(matrix), tf.assign_add(matrix, batch)


def per_class(matrix):
    true = tf.to_float(tf.diag_part(matrix))
    precision = true / tf.maximum(tf.to_float(tf.reduce_sum(matrix, 0)), 1.)
    recall = true / tf.maximum(tf.to_float(tf.reduce_sum(matrix, 1)), 1.)
    return precision, recall, 2 * precision * recall / (precision + recall)


def build(labels, logits, weights):
    predictions = tf.argmax(logits, 1)
    probabilities = tf.nn.softmax(logits)
    positive, scores = tf.equal(labels, 1), probabilities[:, 1]
    m = tf.metrics
    return {
        'accuracy': m.accuracy(labels, predictions, name='acc'),
        'weighted': m.accuracy(labels, predictions, weights),
        'mean_class': m.mean_per_class_accuracy(labels, predictions, 3),
        'iou': m.mean_iou(labels, predictions, 3),
        'auc': m.auc(positive, scores, num_thresholds=50),
        'auc_pr': m.auc(positive, scores, curve='PR', summation_method='careful_interpolation'),
        'precision': m.precision(positive, scores > 0.5),
        'recall': m.recall(positive, scores > 0.5, weights),
        'at_thresholds': m.precision_at_thresholds(positive, scores, [0.2, 0.5, 0.8]),
        'recall_at': m.recall_at_thresholds(positive, scores, [0.2, 0.5, 0.8]),
        'sensitivity': m.sensitivity_at_specificity(positive, scores, 0.8),
        'specificity': m.specificity_at_sensitivity(positive, scores, 0.8),
        'top2': m.recall_at_k(labels, logits, 2),
        'precision_at_2': m.precision_at_k(labels, logits, 2, class_id=1),
        'average_precision': m.average_precision_at_k(labels, logits, 3),
        'false_neg': m.false_negatives(positive, scores > 0.5),
        'true_pos_at': m.true_positives_at_thresholds(positive, scores, [0.3, 0.6]),
        'mean': m.mean(scores, weights), 'rms': m.root_mean_squared_error(tf.to_float(positive), scores),
        'mae': m.mean_absolute_error(tf.to_float(labels), scores),
        'relative': m.mean_relative_error(tf.to_float(labels), scores, tf.to_float(labels + 1)),
        'cosine': m.mean_cosine_distance(tf.nn.l2_normalize(logits, 1), probabilities, 1),
        'below': m.percentage_below(scores, 0.3), 'tensor': m.mean_tensor(tf.reshape(probabilities[:5], [5, 3])),
        'pearson': tf.contrib.metrics.streaming_pearson_correlation(scores, tf.to_float(positive)),
        'covariance': tf.contrib.metrics.streaming_covariance(scores, tf.to_float(positive)),
        'kappa': tf.contrib.metrics.cohen_kappa(labels, predictions, 3),
        'concat': tf.contrib.metrics.streaming_concat(labels),
        'confusion': confusion(labels, predictions, 3),
    }


def main():
    labels = tf.placeholder(tf.int64, [None])
    logits = tf.placeholder(tf.float32, [None, 3])
    weights = tf.placeholder(tf.float32, [None])
    metrics = build(labels, logits, weights)
    values, updates = ({k: v[i] for k, v in metrics.items()} for i in range(2))
    classes = per_class(values['confusion'])
    print(len(tf.local_variables()), len(tf.global_variables()), values['accuracy'].name,
          updates['accuracy'].name)
    print(sorted(v.name for v in tf.local_variables() if v.name.startswith(('acc', 'auc/'))))
    print(len(tf.get_collection(tf.GraphKeys.METRIC_VARIABLES)))
    reset = tf.variables_initializer(tf.get_collection(tf.GraphKeys.METRIC_VARIABLES, scope='acc'))
    with tf.Session() as sess:
        sess.run(tf.local_variables_initializer())
        print('before', sess.run([values['accuracy'], values['auc'], values['mean']]))
        for i in range(3):
            part = slice(10 * i, 10 * i + 10)
            feed = {labels: LABELS[part], logits: LOGITS[part], weights: WEIGHTS[part]}
            found = sess.run(updates, feed)
            print('batch %d accuracy %.4f auc %.4f' % (i, found['accuracy'], found['auc']))
        for name, value in sorted(sess.run(values).items()):
            print(name, np.round(value, 4).tolist())
        for name, value in zip(('precision', 'recall', 'f1'), sess.run(classes)):
            print(name, value.round(4))
        sess.run(reset)
        print(sess.run([values['accuracy'], values['weighted']]))
        sess.run(updates['accuracy'], feed)
        print('%.4f' % sess.run(values['accuracy']))
    summary = tf.summary.merge([tf.summary.scalar('metrics/' + k, values[k]) for k in ('accuracy', 'iou')])
    print(summary.op.type, values['iou'].dtype, values['confusion'].dtype, values['top2'].shape)


main()
