# Queues over CSV files: string_input_producer, skipped headers, decode_csv, shuffle_batch, a Coordinator.
from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import os
import tempfile

import numpy as np
import tensorflow as tf

FOLDER = tempfile.mkdtemp()
KINDS = ['setosa', 'virginica']


def write_files():
    rng = np.random.RandomState(14)
    for part in range(3):
        with open(os.path.join(FOLDER, 'iris-%d.csv' % part), 'w') as f:
            f.write('length,width,kind,weight\n')
            for _ in range(6):
                kind = rng.randint(2)
                length, width = rng.randn(2) + 2 * kind
                weight = '' if rng.rand() < 0.3 else '%.1f' % rng.rand()
                f.write('%.3f,%.3f,"%s",%s\n' % (length, width, KINDS[kind], weight))


def read_row(filename_queue):
    reader = tf.TextLineReader(skip_header_lines=1, name='lines')
    key, value = reader.read(filename_queue)
    defaults = [tf.constant([], tf.float32), [0.0], ['unknown'], [1.0]]
    length, width, kind, weight = tf.decode_csv(value, record_defaults=defaults)
    label = tf.to_int32(tf.equal(kind, KINDS[1]))
    return key, tf.stack([length, width]), label, weight, reader


def input_pipeline(pattern, batch_size, num_epochs=None):
    names = tf.train.match_filenames_once(pattern)
    queue = tf.train.string_input_producer(names, num_epochs=num_epochs, shuffle=False)
    key, example, label, weight, reader = read_row(queue)
    batches = tf.train.batch([key, example, label, weight], batch_size=batch_size,
                             capacity=40, allow_smaller_final_batch=True)
    return batches, reader


def train():
    with tf.Graph().as_default(), tf.Session() as sess:
        (keys, x, y, weights), reader = input_pipeline(FOLDER + '/iris-*.csv', 8, 2)
        w = tf.get_variable('w', [2, 2], initializer=tf.zeros_initializer())
        b = tf.get_variable('b', [2], initializer=tf.zeros_initializer())
        logits = tf.nn.xw_plus_b(x, w, b)
        loss = tf.losses.sparse_softmax_cross_entropy(y, logits, weights=weights)
        right = tf.reduce_mean(tf.to_float(tf.nn.in_top_k(logits, y, 1)))
        train_op = tf.train.AdagradOptimizer(0.5).minimize(loss)
        print(keys.shape, x.shape, y.dtype, [c.name for c in tf.get_collection('queue_runners')])
        print([v.op.name for v in tf.local_variables()])
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess=sess, coord=coord)
        step = 0
        try:
            while not coord.should_stop():
                _, value, accuracy, first, n = sess.run([train_op, loss, right, keys[0], tf.shape(x)[0]])
                print('step %d loss %.4f right %.3f rows %d' % (step, value, accuracy, n),
                      os.path.basename(first.decode()))
                step += 1
        except tf.errors.OutOfRangeError as error:
            print('Epoch limit reached', error.op.type)
        finally:
            coord.request_stop()
            coord.join(threads)
        print(sess.run(w).round(4), sess.run(reader.num_records_produced()), len(threads))


def shuffled():
    with tf.Graph().as_default(), tf.Session() as sess:
        number = tf.train.range_input_producer(12, num_epochs=2, shuffle=False).dequeue()
        square = tf.square(number, name='square')
        a, b = tf.train.shuffle_batch([number, square], 6, capacity=50, min_after_dequeue=10,
                                      num_threads=1, seed=3)
        sess.run(tf.local_variables_initializer())
        coord = tf.train.Coordinator(clean_stop_exception_types=(tf.errors.OutOfRangeError,))
        threads = tf.train.start_queue_runners(sess, coord)
        seen = []
        with coord.stop_on_exception():
            while not coord.should_stop():
                x, y = sess.run([a, b])
                assert (y == x * x).all()
                seen.extend(x.tolist())
        coord.join(threads, stop_grace_period_secs=5)
        print(sorted(seen) == sorted(2 * list(range(12))), len(seen), a.shape, a.op.name)


def slices():
    with tf.Graph().as_default(), tf.Session() as sess:
        words = tf.train.slice_input_producer([np.array(['a', 'b', 'c']), np.eye(3)], shuffle=False)
        long = tf.train.maybe_batch(words, words[1][0] < 0.5, 2)
        lengths = tf.train.batch([tf.range(tf.to_int32(tf.argmax(words[1])) + 1)], 3,
                                 dynamic_pad=True)
        joined = tf.train.batch_join([[words[0]], [tf.constant('z')]], 2)
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(coord=coord)
        kept, padded = sess.run(long)[0], sess.run(lengths)
        print(set(kept) <= {b'b', b'c'}, padded.ndim, joined.shape, lengths.shape)
        coord.request_stop()
        try:
            coord.join(threads, ignore_live_threads=True, stop_grace_period_secs=2)
        except RuntimeError as error:
            print(error)
        print(coord.should_stop(), coord.joined)


def broken():
    coord = tf.train.Coordinator()
    with tf.Graph().as_default(), tf.Session() as sess:
        queue = tf.FIFOQueue(4, tf.float32, shapes=[[]])
        put = queue.enqueue(tf.check_numerics(tf.log(tf.constant(-1.)), 'not a number'))
        tf.train.add_queue_runner(tf.train.QueueRunner(queue, [put] * 2))
        threads = tf.train.start_queue_runners(sess, coord)
        try:
            coord.join(threads)
        except tf.errors.InvalidArgumentError as error:
            print(type(error).__name__, error.message.split(' : ')[0])


write_files()
train()
shuffled()
slices()
broken()
