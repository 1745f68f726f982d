# Deep & Cross Network: cross layers beside a deep tower, on hashed and bucketed features.
import collections

import numpy as np
import tensorflow as tf
from tensorflow.contrib.layers.python.layers import optimizers

tf.logging.set_verbosity(tf.logging.ERROR)
FIELDS = collections.OrderedDict([('C1', 20), ('C2', 7), ('C3', 50)])


def cross_layer(x0, x, name):
    with tf.variable_scope(name):
        dim = x0.get_shape().as_list()[-1]
        w = tf.get_variable('weight', [dim], initializer=tf.truncated_normal_initializer(stddev=0.01))
        b = tf.get_variable('bias', [dim], initializer=tf.zeros_initializer())
        xw = tf.tensordot(tf.reshape(x, [-1, 1, dim]), w, axes=1)
        return x0 * xw + b + x


def dense_with_bn(x, units, training, name):
    with tf.variable_scope(name, reuse=tf.AUTO_REUSE):
        x = tf.layers.dense(x, units, use_bias=False, name='fc',
                            kernel_initializer=tf.variance_scaling_initializer(seed=4),
                            kernel_regularizer=tf.contrib.layers.l1_l2_regularizer(1e-4, 1e-3))
        x = tf.layers.batch_normalization(x, momentum=0.9, training=training, renorm=False, fused=False)
        return tf.nn.leaky_relu(x, alpha=0.1)


def model_fn(features, labels, mode, params):
    training = mode == tf.estimator.ModeKeys.TRAIN
    columns = []
    for name, size in FIELDS.items():
        hashed = tf.feature_column.categorical_column_with_hash_bucket(name, size)
        columns.append(tf.feature_column.embedding_column(
            hashed, params['embedding'], initializer=tf.random_uniform_initializer(-0.1, 0.1, seed=8)))
    ages = tf.feature_column.bucketized_column(tf.feature_column.numeric_column('I1'), [0.0, 0.5, 1.5])
    columns.append(tf.feature_column.indicator_column(ages))
    columns.append(tf.feature_column.numeric_column('I2', normalizer_fn=lambda x: tf.log1p(tf.abs(x))))
    x0 = tf.feature_column.input_layer(features, columns)
    cross = x0
    with tf.variable_scope('cross', values=[x0]):
        for i in range(params['cross_layers']):
            cross = cross_layer(x0, cross, 'layer_%d' % i)
            tf.summary.histogram('cross', cross)
    deep = x0
    for i, units in enumerate(params['hidden']):
        deep = dense_with_bn(deep, units, training, 'deep_%d' % i)
    logits = tf.layers.dense(tf.concat([cross, deep], -1), 1, name='logits',
                             kernel_initializer=tf.glorot_normal_initializer(seed=2))[:, 0]
    predictions = {'p': tf.sigmoid(logits), 'logit': logits}
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions)
    log_loss = tf.losses.sigmoid_cross_entropy(labels, logits, label_smoothing=0.02)
    loss = log_loss + tf.losses.get_regularization_loss()
    metrics = {
        'auc': tf.metrics.auc(labels, predictions['p'], num_thresholds=50, summation_method='careful_interpolation'),
        'pr': tf.metrics.auc(labels, predictions['p'], curve='PR', num_thresholds=50, summation_method='careful_interpolation'),
        'at': tf.metrics.sensitivity_at_specificity(labels, predictions['p'], 0.5),
        'precision': tf.metrics.precision_at_thresholds(labels, predictions['p'], [0.4, 0.5, 0.6]),
        'mean': tf.metrics.mean(predictions['p']),
    }
    if mode == tf.estimator.ModeKeys.EVAL:
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
    train_op = tf.contrib.layers.optimize_loss(
        loss, tf.train.get_global_step(), learning_rate=0.05,
        optimizer=lambda lr: tf.contrib.opt.LazyAdamOptimizer(lr),
        learning_rate_decay_fn=lambda lr, step: tf.train.inverse_time_decay(lr, step, 5, 0.5),
        clip_gradients=optimizers.adaptive_clipping_fn(static_max_norm=5.0, report_summary=False),
        gradient_multipliers={'logits/bias': 2.0}, summaries=[])
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


rng = np.random.RandomState(5)
N = 96
raw = {name: np.array(['%s_%d' % (name, i) for i in rng.randint(0, 3 * size, N)]) for name, size in FIELDS.items()}
raw['I1'] = rng.randn(N).astype(np.float32)
raw['I2'] = rng.randn(N).astype(np.float32) * 10
target = ((raw['I1'] > 0) ^ (np.char.endswith(raw['C2'], '1'))).astype(np.float32)


def train_input():
    return tf.data.Dataset.from_tensor_slices((raw, target)).repeat(2).batch(16, drop_remainder=True)


hooks = [tf.train.StopAtStepHook(num_steps=10), tf.train.CheckpointSaverHook('dcn', save_steps=5)]
config = tf.estimator.RunConfig(tf_random_seed=6, model_dir='dcn', keep_checkpoint_max=2, save_checkpoints_steps=None,
                                save_checkpoints_secs=None, save_summary_steps=4)
params = tf.contrib.training.HParams(embedding=4, cross_layers=2, hidden=[8, 6]).values()
estimator = tf.estimator.Estimator(model_fn, params=params, config=config)
estimator.train(train_input, hooks=hooks)
for name in sorted(estimator.get_variable_names()):
    if 'Adam' not in name and 'OptimizeLoss' not in name:
        print(name, estimator.get_variable_value(name).shape)
print([n for n in sorted(estimator.get_variable_names()) if 'OptimizeLoss/A' in n])
results = estimator.evaluate(lambda: tf.data.Dataset.from_tensors((raw, target)), name='all')
for key in sorted(results):
    print(key, np.round(results[key], 4))
inputs = tf.estimator.inputs.numpy_input_fn({k: v[:5] for k, v in raw.items()}, shuffle=False)
print([round(float(p['p']), 4) for p in estimator.predict(inputs)])
print([round(float(p['logit']), 4) for p in estimator.predict(inputs, predict_keys=['logit'], yield_single_examples=True)])
print(tf.train.get_checkpoint_state('dcn').model_checkpoint_path.split('/')[-1])
