# tf.data in graphs: one-shot, initializable, reinitializable, feedable iterators.
import os
import tempfile

import numpy as np
import tensorflow as tf

tf.set_random_seed(1)


def drain(sess, element, limit=20):
    found = []
    try:
        while len(found) < limit:
            found.append(sess.run(element))
    except tf.errors.OutOfRangeError:
        found.append('end')
    return found


folder = tempfile.mkdtemp()
for n in range(3):
    with tf.python_io.TFRecordWriter(os.path.join(folder, 'part-%d' % n)) as writer:
        for i in range(4):
            example = tf.train.Example()
            example.features.feature['id'].int64_list.value.append(10 * n + i)
            example.features.feature['values'].float_list.value.extend([0.5] * i)
            writer.write(example.SerializeToString())
    with open(os.path.join(folder, 'lines-%d.txt' % n), 'w') as f:
        f.write('header\n' + ''.join('%d words of line %d\n' % (n, i) for i in range(2)))


def parse(serialized):
    parsed = tf.parse_single_example(serialized, {
        'id': tf.FixedLenFeature([], tf.int64),
        'values': tf.VarLenFeature(tf.float32)})
    return parsed['id'], tf.sparse_tensor_to_dense(parsed['values'])


sess = tf.Session()
files = tf.data.Dataset.list_files(os.path.join(folder, 'part-*'), shuffle=False)
ds = files.interleave(tf.data.TFRecordDataset, cycle_length=3, block_length=2)
ds = ds.map(parse, num_parallel_calls=4).padded_batch(5, ([], [None])).prefetch(1)
print(ds)
ids, values = ds.make_one_shot_iterator().get_next()
print(ids, values)
for a, b in drain(sess, (ids, values))[:-1]:
    print(a, b.shape, b.sum())
parallel = files.apply(tf.contrib.data.parallel_interleave(
    lambda f: tf.data.TFRecordDataset(f), cycle_length=2, sloppy=False))
element = parallel.map(lambda s: parse(s)[0]).make_one_shot_iterator().get_next()
print(drain(sess, element))

lines = tf.data.Dataset.from_tensor_slices(
    [os.path.join(folder, 'lines-%d.txt' % n) for n in range(2)])
lines = lines.flat_map(lambda f: tf.data.TextLineDataset(f).skip(1).filter(
    lambda line: tf.not_equal(tf.substr(line, 0, 1), '#')))
words = lines.map(lambda s: tf.string_split([s]).values).map(lambda w: (w[0], tf.size(w)))
print(drain(sess, words.make_one_shot_iterator().get_next()))

limit = tf.placeholder(tf.int64, [])
ds = tf.data.Dataset.range(limit).map(lambda x: x ** 2)
iterator = ds.make_initializable_iterator()
element = iterator.get_next()
for value in (2, 4):
    sess.run(iterator.initializer, {limit: value})
    print(drain(sess, element))
training = tf.data.Dataset.range(100).map(
    lambda x: x + tf.random_uniform([], -10, 10, tf.int64, seed=4)).take(4)
validation = tf.data.Dataset.range(3)
iterator = tf.data.Iterator.from_structure(training.output_types, training.output_shapes)
element = iterator.get_next()
for dataset in (training, validation):
    sess.run(iterator.make_initializer(dataset))
    print(drain(sess, element))
handle = tf.placeholder(tf.string, [])
fed = tf.data.Iterator.from_string_handle(handle, training.output_types,
                                          training.output_shapes)
element = fed.get_next()
one = tf.data.Dataset.range(50, 90).make_one_shot_iterator()
two = validation.make_initializable_iterator()
one_handle, two_handle = sess.run([one.string_handle(), two.string_handle()])
for _ in range(2):
    print([sess.run(element, {handle: one_handle}) for _ in range(2)])
    sess.run(two.initializer)
    print(drain(sess, element, 0) or [sess.run(element, {handle: two_handle})])

features = {'a': np.arange(6), 'b': np.arange(12.).reshape(6, 2)}
ds = tf.data.Dataset.from_tensor_slices(features)
ds = ds.shuffle(6, seed=9).repeat(2).batch(4).map(lambda d: dict(d, c=d['a'] * 2))
got = drain(sess, ds.make_one_shot_iterator().get_next())
print([sorted(g) for g in got[:1]], [g['c'].tolist() for g in got[:-1]])
ds = tf.data.Dataset.range(8).apply(tf.contrib.data.shuffle_and_repeat(1, 2, seed=3))
print(drain(sess, ds.batch(8).make_one_shot_iterator().get_next()))
ds = tf.data.Dataset.range(9).apply(tf.contrib.data.map_and_batch(
    lambda x: tf.py_func(lambda v: np.square(v), [x], tf.int64, stateful=False), 4))
print(drain(sess, ds.make_one_shot_iterator().get_next()))
ds = tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]]).apply(tf.contrib.data.unbatch())
print(drain(sess, ds.enumerate(5).make_one_shot_iterator().get_next())
      if hasattr(ds, 'enumerate') else drain(sess, ds.make_one_shot_iterator().get_next()))
ds = tf.data.Dataset.range(6).apply(tf.contrib.data.bucket_by_sequence_length(
    lambda x: tf.to_int32(x), [3], [2, 3]))
print(drain(sess, ds.make_one_shot_iterator().get_next()))
