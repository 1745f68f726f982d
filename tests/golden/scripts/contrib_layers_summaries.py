# A text classifier of tf.contrib.layers: embed_sequence, optimize_loss with its summaries.
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import numpy as np
import tensorflow as tf
from tensorflow.contrib import layers

rng = np.random.RandomState(5)
words = rng.randint(1, 20, size=(16, 6))
words[words[:, 4] > 10, 4:] = 0
labels = (words[:, 0] > 9).astype(np.int64)
ages = rng.randint(15, 70, size=(16, 1)).astype(np.float32)
towns = np.array([['oslo', 'rome', 'lima'][k] for k in rng.randint(0, 3, 16)])


def tag_of(value):
    kind = value.WhichOneof('value')
    shown = ' %.4f' % value.simple_value if kind == 'simple_value' else ''
    if kind == 'histo':
        shown = ' %d values, sum %.4f' % (value.histo.num, value.histo.sum)
    return value.tag + shown


def text_model(features, target):
    embedded = layers.embed_sequence(features, vocab_size=20, embed_dim=5, scope='words')
    pooled = tf.reduce_mean(embedded, 1)
    hidden = layers.stack(pooled, layers.fully_connected, [8, 6], activation_fn=tf.nn.elu,
                          weights_regularizer=layers.l1_l2_regularizer(0.001, 0.01))
    hidden = layers.layer_norm(hidden)
    hidden = layers.dropout(hidden, keep_prob=0.8)
    logits = layers.linear(hidden, 2, scope='logits')
    loss = tf.losses.sparse_softmax_cross_entropy(target, logits)
    loss += tf.add_n(tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES))
    train_op = layers.optimize_loss(
        loss, tf.train.get_or_create_global_step(), learning_rate=0.1,
        optimizer='Adam', clip_gradients=0.5, gradient_noise_scale=None,
        learning_rate_decay_fn=lambda rate, step: tf.train.exponential_decay(
            rate, step, 2, 0.7),
        summaries=['learning_rate', 'loss', 'gradients', 'gradient_norm',
                   'global_gradient_norm'])
    return logits, loss, train_op


def train_text():
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(9)
        features, target = tf.constant(words), tf.constant(labels)
        logits, loss, train_op = text_model(features, target)
        print(logits.name, train_op.name)
        print([v.op.name for v in tf.trainable_variables()])
        sess.run(tf.global_variables_initializer())
        merged = tf.summary.merge_all()
        for step in range(5):
            text, value = sess.run([merged, train_op])
            print('step %d loss %.4f' % (step, value))
        summary = tf.Summary.FromString(text)
        print(len(summary.value))
        for value in sorted(summary.value, key=lambda v: v.tag)[::3]:
            print(tag_of(value))


def train_columns():
    age = layers.real_valued_column('age')
    town = layers.sparse_column_with_keys('town', ['oslo', 'rome', 'lima'])
    hashed = layers.sparse_column_with_hash_bucket('town', 8)
    buckets = layers.bucketized_column(age, [18, 30, 45, 60])
    crossed = layers.crossed_column([town, buckets], hash_bucket_size=30)
    deep = [age, layers.one_hot_column(town), layers.embedding_column(
        crossed, 3, initializer=tf.constant_initializer(0.25))]
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(4)
        features = {
            'age': tf.constant(ages / 10 * 10),
            'town': tf.SparseTensor([[i, 0] for i in range(16)], towns, [16, 1])}
        wide, weights, bias = layers.weighted_sum_from_feature_columns(
            features, [buckets, hashed, crossed], num_outputs=1)
        net = layers.input_from_feature_columns(features, deep)
        print(net.shape, sorted(k.name for k in weights), bias.op.name)
        net = layers.fully_connected(
            net / 30., 4, weights_initializer=tf.constant_initializer(0.1))
        logits = wide + layers.fully_connected(net, 1, activation_fn=None)
        probability = tf.sigmoid(logits)
        loss = tf.losses.log_loss((ages > 40), probability)
        train_op = layers.optimize_loss(
            loss, None, 0.5, lambda lr: tf.train.FtrlOptimizer(lr), name='wide_deep',
            gradient_multipliers={bias: 0.5}, increment_global_step=False)
        sess.run([tf.global_variables_initializer(), tf.tables_initializer()])
        for _ in range(4):
            print('wide and deep %.4f' % sess.run(train_op))
        print(sess.run(bias).round(4), sess.run(tf.squeeze(probability)).round(3)[:5])


def convolutions():
    with tf.Graph().as_default(), tf.Session() as sess:
        image = tf.constant(rng.randn(2, 8, 8, 3).astype(np.float32))
        net = layers.conv2d(image, 4, 3, normalizer_fn=layers.instance_norm,
                            weights_initializer=layers.xavier_initializer(seed=1))
        net = layers.separable_conv2d(net, 6, 3, 2, stride=2, weights_initializer=tf.
                                      random_normal_initializer(0, 0.1, seed=2))
        net = layers.conv2d_transpose(net, 3, 3, stride=2, biases_initializer=None,
                                      weights_initializer=tf.ones_initializer())
        net = layers.group_norm(net, groups=3)
        flat = layers.flatten(layers.avg_pool2d(net, 2))
        unit = layers.unit_norm(flat, 1)
        maxed = layers.maxout(flat, 4)
        spread = layers.spatial_softmax(net)
        bag = layers.bow_encoder(words[:2], 20, 4)
        sess.run(tf.global_variables_initializer())
        print(flat.shape, sess.run(tf.reduce_sum(unit * unit, 1)).round(3), maxed.shape)
        print(sess.run(spread).round(3), bag.shape)
        layers.summarize_collection(tf.GraphKeys.TRAINABLE_VARIABLES)
        layers.summarize_activations()
        print([t.op.name for t in tf.get_collection(tf.GraphKeys.SUMMARIES)][:4])


train_text()
train_columns()
convolutions()
