# SequenceExamples in TFRecords, padded and bucketed batches, a bidirectional RNN over them.
from __future__ import print_function

import os
import tempfile

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(29)
PATH = os.path.join(tempfile.mkdtemp(), 'tags.tfrecord')
VOCABULARY, TAGS = 12, 3


def make_example(words, tags, name, floats):
    example = tf.train.SequenceExample()
    example.context.feature['length'].int64_list.value.append(len(words))
    example.context.feature['name'].bytes_list.value.append(name.encode())
    word_list = example.feature_lists.feature_list['words']
    for w in words:
        word_list.feature.add().int64_list.value.append(int(w))
    tag_list = example.feature_lists.feature_list['tags']
    for t in tags:
        tag_list.feature.add().int64_list.value.append(int(t))
    shapes = example.feature_lists.feature_list['shapes']
    for row in floats:
        shapes.feature.add().float_list.value.extend(row)
    return example


def write():
    options = tf.python_io.TFRecordOptions(tf.python_io.TFRecordCompressionType.GZIP)
    with tf.python_io.TFRecordWriter(PATH, options=options) as writer:
        for i in range(14):
            words = rng.randint(1, VOCABULARY, rng.randint(2, 8))
            tags = (words + np.roll(words, 1)) % TAGS
            floats = rng.rand(len(words), 2).round(3)
            writer.write(make_example(words, tags, 'doc%d' % i, floats).SerializeToString())
    records = list(tf.python_io.tf_record_iterator(PATH, options))
    first = tf.train.SequenceExample.FromString(records[0])
    print(len(records), sorted(first.feature_lists.feature_list), first.context.feature['name'])


def parse(serialized):
    context, sequence = tf.parse_single_sequence_example(
        serialized,
        context_features={'length': tf.FixedLenFeature([], tf.int64),
                          'name': tf.FixedLenFeature([], tf.string),
                          'missing': tf.FixedLenFeature([2], tf.float32, default_value=[1., 2.])},
        sequence_features={'words': tf.FixedLenSequenceFeature([], tf.int64),
                           'tags': tf.FixedLenSequenceFeature([], tf.int64),
                           'shapes': tf.FixedLenSequenceFeature([2], tf.float32),
                           'none': tf.VarLenFeature(tf.int64)})
    return {'words': tf.to_int32(sequence['words']), 'tags': tf.to_int32(sequence['tags']),
            'shapes': sequence['shapes'], 'length': tf.to_int32(context['length']),
            'name': context['name'], 'extra': tf.size(sequence['none'].values)}


def dataset(bucketed):
    data = tf.data.TFRecordDataset(PATH, compression_type='GZIP').map(parse)
    if not bucketed:
        shapes = {'words': [None], 'tags': [None], 'shapes': [None, 2], 'length': [], 'name': [], 'extra': []}
        values = {'words': 0, 'tags': -1, 'shapes': 0.5, 'length': 0, 'name': '', 'extra': 0}
        return data.repeat(2).padded_batch(4, shapes, values)
    return data.apply(tf.contrib.data.bucket_by_sequence_length(
        lambda x: x['length'], bucket_boundaries=[4, 6], bucket_batch_sizes=[3, 3, 2]))


def model(features):
    mask = tf.sequence_mask(features['length'], tf.shape(features['words'])[1], tf.float32)
    table = tf.get_variable('table', [VOCABULARY, 5], initializer=tf.random_normal_initializer(seed=1))
    x = tf.concat([tf.nn.embedding_lookup(table, features['words']), features['shapes']], 2)
    with tf.variable_scope('birnn', initializer=tf.random_uniform_initializer(-0.3, 0.3, seed=2)):
        forward, backward = tf.nn.rnn_cell.GRUCell(6), tf.nn.rnn_cell.LSTMCell(6, use_peepholes=True)
        outputs, states = tf.nn.bidirectional_dynamic_rnn(
            forward, backward, x, sequence_length=features['length'], dtype=tf.float32)
    joined = tf.concat(outputs, -1)
    logits = tf.layers.dense(joined, TAGS, kernel_initializer=tf.glorot_uniform_initializer(seed=3))
    loss = tf.contrib.seq2seq.sequence_loss(logits, tf.maximum(features['tags'], 0), mask)
    right = tf.to_float(tf.equal(tf.argmax(logits, 2, output_type=tf.int32), features['tags']))
    return loss, tf.reduce_sum(right * mask) / tf.reduce_sum(mask), states


def train():
    with tf.Graph().as_default(), tf.Session() as sess:
        iterator = dataset(False).make_initializable_iterator()
        features = iterator.get_next()
        print({k: v.shape.as_list() for k, v in sorted(features.items())})
        loss, accuracy, states = model(features)
        train_op = tf.train.RMSPropOptimizer(0.05).minimize(loss)
        print(states[0].shape, type(states[1]).__name__, len(tf.trainable_variables()))
        sess.run(tf.global_variables_initializer())
        for epoch in range(2):
            sess.run(iterator.initializer)
            losses = []
            while True:
                try:
                    found = sess.run([loss, accuracy, features['name'], train_op])
                    losses.append(found[0])
                except tf.errors.OutOfRangeError:
                    break
            print('epoch %d' % epoch, np.round(losses, 4), '%.4f' % found[1], found[2])
        print(sess.run(tf.reduce_sum(states[1].c, 0), {features['words']: [[1, 2, 0]],
                                                       features['shapes']: np.ones([1, 3, 2]),
                                                       features['length']: [2]}).round(3))


def look():
    with tf.Graph().as_default(), tf.Session() as sess:
        features = dataset(True).make_one_shot_iterator().get_next()
        while True:
            try:
                f = sess.run(features)
                print(f['words'].tolist(), f['length'], f['extra'].sum(), f['shapes'].shape)
            except tf.errors.OutOfRangeError:
                break
        serialized = [make_example([1, 2], [0, 1], 'a', [[.5, 1.]]).SerializeToString(),
                      make_example([3], [2], 'b', []).SerializeToString()]
        context, sequence, lengths = tf.io.parse_sequence_example(
            serialized, {'name': tf.FixedLenFeature([], tf.string)},
            {'words': tf.FixedLenSequenceFeature([], tf.int64),
             'shapes': tf.VarLenFeature(tf.float32)}) if hasattr(tf.io, 'parse_sequence_example') else ({}, {}, {})
        print(sorted(context), sorted(lengths), hasattr(tf.io, 'parse_sequence_example'))


write()
train()
look()
