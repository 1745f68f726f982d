# Eager datasets of many kinds, tf.contrib.eager metrics and a summary writer.
import os
import tempfile

import numpy as np
import tensorflow as tf
import tensorflow.contrib.eager as tfe

tf.enable_eager_execution()
tf.set_random_seed(99)

ds = tf.data.Dataset.range(10)
for element in ds.filter(lambda n: tf.equal(n % 2, 0)).map(lambda n: n * n):
    print(element.numpy(), end=' ')
print()
print([b.numpy().tolist() for b in ds.repeat(2).batch(8, drop_remainder=True)])
print([x.numpy() for x in ds.shuffle(5, seed=3)])
print([x.numpy() for x in ds.shuffle(10, seed=3, reshuffle_each_iteration=False).take(4)])
zipped = tf.data.Dataset.zip((ds, ds.skip(3), {'a': ds.map(lambda x: x + 100)}))
for a, b, c in zipped.take(2):
    print(a, b, sorted(c), c['a'])
print(zipped.output_types, zipped.output_shapes)


def gen():
    for i in range(1, 5):
        yield i, [1] * i


ragged = tf.data.Dataset.from_generator(gen, (tf.int64, tf.int64),
                                        (tf.TensorShape([]), tf.TensorShape([None])))
for i, row in ragged.padded_batch(2, padded_shapes=([], [None]),
                                  padding_values=(tf.constant(0, tf.int64),
                                                  tf.constant(-1, tf.int64))):
    print(i.numpy(), row.numpy().tolist())
inter = tf.data.Dataset.from_tensor_slices([1, 2, 3]).interleave(
    lambda n: tf.data.Dataset.from_tensors(n).repeat(3), cycle_length=2, block_length=1)
print([x.numpy() for x in inter])
print([x.numpy() for x in ds.flat_map(
    lambda n: tf.data.Dataset.range(n)).skip(6).take(9)])
windows = ds.apply(tf.contrib.data.sliding_window_batch(window_size=4, window_shift=3))
print([w.numpy().tolist() for w in windows])
grouped = ds.apply(tf.contrib.data.group_by_window(
    key_func=lambda x: x % 3, reduce_func=lambda k, d: d.batch(4), window_size=4))
print([w.numpy().tolist() for w in grouped])
print([x.numpy() for x in ds.apply(tf.contrib.data.scan(
    tf.constant(0, tf.int64), lambda s, x: (s + x, s + x)))])
print([x.numpy() for x in tf.data.Dataset.from_tensor_slices(
    [1., 2., 0., 4.]).map(lambda x: tf.check_numerics(1. / x, 'bad')).apply(
        tf.contrib.data.ignore_errors())])
print([x.numpy() for x in ds.map(
    lambda x: tf.py_func(lambda v: v + 1, [x], tf.int64), num_parallel_calls=2)][:3])
iterator = ds.make_one_shot_iterator()
print(iterator.get_next(), iterator.get_next())
print(ds.reduce(tf.constant(0, tf.int64), lambda s, x: s + x))

mean = tfe.metrics.Mean('m')
print(mean([1., 2., 6.]), mean.result())
mean(5., weights=3.)
print(mean.result().numpy(), [v.name for v in mean.variables])
accuracy = tfe.metrics.Accuracy()
accuracy([1, 2, 3, 4], [1, 2, 0, 0], weights=[1., 1., 1., 0.])
print('%.4f' % accuracy.result())
mean.init_variables()
mean(7.)
print(mean.result().numpy())
binary = tfe.metrics.BinaryAccuracy(threshold=0.5)
binary([1, 0, 1], [0.7, 0.6, 0.2])
categorical = tfe.metrics.SparseAccuracy()
categorical([0, 2], [[.9, .1, 0.], [.1, .7, .2]])
print('%.3f %.3f' % (binary.result(), categorical.result()))

folder = tempfile.mkdtemp()
writer = tf.contrib.summary.create_file_writer(folder, flush_millis=10)
step = tf.train.get_or_create_global_step()
with writer.as_default(), tf.contrib.summary.always_record_summaries():
    for value in (0.5, 0.25):
        step.assign_add(1)
        tf.contrib.summary.scalar('loss', value)
        tf.contrib.summary.histogram('weights', tf.range(4.))
    mean.result()
writer.flush()
for event in tf.train.summary_iterator(os.path.join(folder, os.listdir(folder)[0])):
    for v in event.summary.value:
        print(event.step, v.tag)
