# --- lines, records and pieces of files
import os
import tempfile

folder = tempfile.mkdtemp()
path = lambda name: os.path.join(folder, name)
with open(path("a"), "wb") as f:
    f.write(b"one\ntwo\r\n\nfour")
with open(path("b"), "wb") as f:
    f.write(b"five\n")
with tf.python_io.TFRecordWriter(path("r")) as w:
    for i in range(5):
        w.write(b"rec%d" % i)
with open(path("f"), "wb") as f:
    f.write(bytes(bytearray(range(20))))
show([x.numpy() for x in tf.data.TextLineDataset([path("a"), path("b")])])
show([x.numpy() for x in tf.data.TFRecordDataset(path("r"))])
twice = tf.data.TFRecordDataset([path("r")] * 2, num_parallel_reads=2)
show([x.numpy() for x in twice])
pieces = tf.data.FixedLengthRecordDataset(path("f"), 5, header_bytes=3, footer_bytes=2)
show([x.numpy() for x in pieces], pieces.output_types, pieces.output_shapes)
files = tf.data.Dataset.list_files(path("?"), shuffle=False)
show([os.path.basename(x.numpy()) for x in files])
lines = files.take(2).interleave(tf.data.TextLineDataset, cycle_length=2)
show([x.numpy() for x in lines])
# --- interleaving
D = tf.data.Dataset
d = D.range(1, 6).interleave(lambda x: D.from_tensors(x).repeat(6), 2, block_length=4)
show([x.numpy() for x in d])
show([x.numpy() for x in D.range(5).interleave(lambda x: D.range(x), cycle_length=3)])
# --- padded batches
d = tf.data.Dataset.range(1, 5).map(lambda x: (tf.fill([tf.cast(x, tf.int32)], x), x))
for x, y in d.padded_batch(3, ([None], [])):
    show(x, y)
fill = (tf.constant(-1, tf.int64), tf.constant(0, tf.int64))
filled = d.padded_batch(2, ([5], []), fill, drop_remainder=True)
for x, y in filled:
    show(x, y)
show(filled.output_shapes)
for x in d.map(lambda x, _: tf.as_string(x)).padded_batch(4, [-1]):
    show(x)
# --- a shape that is too small
d = tf.data.Dataset.range(1, 5).map(lambda x: tf.fill([tf.cast(x, tf.int32)], x))
for x in d.padded_batch(3, [2]):
    show(x)
# --- a padded shape of another rank
tf.data.Dataset.range(1, 5).padded_batch(3, [2])
# --- windows
d = tf.data.Dataset.range(7)
batches = lambda w: w.batch(3)
show([x.numpy() for x in d.window(3, shift=2, stride=2).flat_map(batches)])
show([x.numpy() for x in d.window(3, drop_remainder=True).flat_map(batches)])
show([x.numpy() for x in d.window(2, 5).flat_map(batches)])
pairs = tf.data.Dataset.from_tensor_slices((np.arange(6), np.arange(6) * 2.0))
both = lambda a, b: tf.data.Dataset.zip((a.batch(4), b.batch(4)))
show([(a.numpy(), b.numpy()) for a, b in pairs.window(4, 1).flat_map(both)])
# --- a cache
show([x.numpy() for x in tf.data.Dataset.range(3).cache().repeat(2)])
# --- sparse elements
s = tf.SparseTensor([[0, 0], [1, 2], [1, 3], [3, 0]], [1.0, 2.0, 3.0, 4.0], [4, 4])
d = tf.data.Dataset.from_tensors(s)
show(d.output_types, d.output_shapes)
for x in d:
    show(x)
for x in tf.data.Dataset.from_tensor_slices(s):
    show(x)
for x in tf.data.Dataset.from_tensor_slices(s).batch(3):
    show(x)
d = tf.data.Dataset.from_sparse_tensor_slices(s)
show(d.output_types, d.output_shapes)
for x in d:
    show(x)
d = tf.data.Dataset.zip((tf.data.Dataset.from_tensor_slices(s), tf.data.Dataset.range(4)))
dense = d.map(lambda s, i: (tf.sparse_tensor_to_dense(s), i)).filter(lambda _, i: i > 1)
for x in dense:
    show(x)
# --- numbers and batches by apply
X, D = tf.data.experimental, tf.data.Dataset
show([(int(i), int(x)) for i, x in D.range(3).apply(X.enumerate_dataset(5))])
mapped = X.map_and_batch(lambda x: x * 2, 2, drop_remainder=True)
show([x.numpy() for x in D.range(5).apply(mapped)])
rows = D.from_tensor_slices((np.arange(6).reshape(2, 3), np.ones((2, 3))))
show([(a.numpy(), b.numpy()) for a, b in rows.apply(X.unbatch())])
d = D.range(1, 4).map(lambda x: tf.fill([tf.cast(x, tf.int32)], x))
for x in d.apply(X.dense_to_sparse_batch(2, [4])):
    show(x)
show([int(x) for x in X.Counter(2, 3).take(3)])
# --- a row that is too long
X, D = tf.data.experimental, tf.data.Dataset
d = D.range(1, 4).map(lambda x: tf.fill([tf.cast(x, tf.int32)], x))
for x in d.apply(X.dense_to_sparse_batch(2, [2])):
    show(x)
# --- choices
X, D = tf.data.experimental, tf.data.Dataset
parts = [D.range(3), D.range(10, 13), D.range(20, 23)]
choices = D.from_tensor_slices(np.array([0, 1, 2, 0, 1, 1, 2, 2, 2, 2], np.int64))
show([int(x) for x in X.choose_from_datasets(parts, choices)])
show([int(x) for x in X.sample_from_datasets(parts[:2], [0.0, 1.0], seed=1).take(3)])
# --- groups
X, D = tf.data.experimental, tf.data.Dataset
groups = X.group_by_window(lambda x: x % 3, lambda k, w: w.batch(4), window_size=4)
show([x.numpy() for x in D.range(10).apply(groups)])
groups = X.group_by_window(
    lambda x: x % 2, lambda k, w: w.map(lambda v: v * 10 + k),
    window_size_func=lambda k: k + 1,
)
show([int(x) for x in D.range(10).apply(groups)])
sums = X.Reducer(lambda k: np.int64(0), lambda s, x: s + x, lambda s: s)
show([int(x) for x in D.range(10).apply(X.group_by_reducer(lambda x: x % 3, sums))])
# --- buckets
X, D = tf.data.experimental, tf.data.Dataset
d = D.range(1, 9).map(lambda x: tf.fill([tf.cast(x, tf.int32)], x))
length = lambda x: tf.shape(x)[0]
for pad in (False, True):
    buckets = X.bucket_by_sequence_length(
        length, [3, 6], [2, 2, 2], pad_to_bucket_boundary=pad
    )
    show([x.numpy() for x in d.take(5).apply(buckets)])
show([x.numpy() for x in d.apply(X.bucket_by_sequence_length(length, [3, 6], [2] * 3))])
# --- states, duplicates and errors
X, D = tf.data.experimental, tf.data.Dataset
sums = X.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s * 2))
show([int(x) for x in D.range(5).apply(sums)])
show([int(x) for x in D.from_tensor_slices([1, 1, 2, 1, 3]).apply(X.unique())])
inverse = lambda x: tf.check_numerics(1.0 / x, "e")
d = D.from_tensor_slices([1.0, 2.0, 0.0, 4.0]).map(inverse)
show([float(x) for x in d.apply(X.ignore_errors())])
# --- floats are not compared
tf.data.Dataset.from_tensor_slices([1.0, 1.0]).apply(tf.data.experimental.unique())
# --- the one element
show(tf.data.experimental.get_single_element(tf.data.Dataset.range(4, 5)))
# --- no element
tf.data.experimental.get_single_element(tf.data.Dataset.range(0))
# --- too many elements
tf.data.experimental.get_single_element(tf.data.Dataset.range(2))
