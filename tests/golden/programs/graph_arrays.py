# --- tensor array
ta = tf.TensorArray(tf.float32, 3, clear_after_read=False, tensor_array_name="arrays")
ta = ta.write(0, 1.0).write(1, 2.0).write(2, 3.0)
s, r, n = ta.stack(), ta.read(1), ta.size()
show(s.shape, s.dtype, r.dtype, n, ta.dtype)
with tf.Session() as sess:
    show(sess.run([s, r, n]))
# --- tensor array unstack gather scatter split concat
x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
ta = tf.TensorArray(tf.float32, 3, clear_after_read=False).unstack(x)
a, b = ta.gather([2, 0]), ta.concat()
c = tf.TensorArray(tf.float32, 3).scatter([2, 0, 1], x).stack()
d = tf.TensorArray(tf.float32, 2, infer_shape=False).split(tf.constant([1.0, 2.0, 3.0]), [1, 2])
show(b.shape, c.shape)
with tf.Session() as sess:
    show(sess.run([a, b, c, d.read(0), d.read(1)]))
# --- tensor array dynamic size
ta = tf.TensorArray(tf.int32, 0, dynamic_size=True, clear_after_read=False)
_, ta = tf.while_loop(lambda i, ta: i < 4, lambda i, ta: (i + 1, ta.write(i, i * i)), [0, ta])
show(ta.stack().shape)
with tf.Session() as sess:
    show(sess.run([ta.stack(), ta.size(), ta.read(2), ta.read(2)]))
# --- tensor array of fixed shape in a loop
ta = tf.TensorArray(tf.float32, 4, element_shape=[2])
_, ta = tf.while_loop(lambda i, ta: i < 4, lambda i, ta: (i + 1, ta.write(i, tf.fill([2], tf.cast(i, tf.float32)))), [0, ta])
y = ta.stack()
show(y.shape)
with tf.Session() as sess:
    show(sess.run(y))
# --- tensor array written twice
ta = tf.TensorArray(tf.float32, 3, tensor_array_name="ta").write(0, 1.0).write(0, 2.0)
with tf.Session() as sess:
    sess.run(ta.read(0))
# --- tensor array read before it is written
ta = tf.TensorArray(tf.float32, 3, element_shape=[]).write(0, 1.0)
with tf.Session() as sess:
    show(sess.run(ta.read(2)))
# --- tensor array read of nothing
ta = tf.TensorArray(tf.float32, 3).write(0, 1.0)
with tf.Session() as sess:
    sess.run(ta.read(2))
# --- tensor array read out of range
ta = tf.TensorArray(tf.float32, 3).write(0, 1.0)
with tf.Session() as sess:
    sess.run(ta.read(5))
# --- tensor array read twice
ta = tf.TensorArray(tf.float32, 1).write(0, 1.0)
a = ta.read(0)
with tf.control_dependencies([a]):
    b = ta.read(0)
with tf.Session() as sess:
    sess.run(b)
# --- tensor array of another shape
ta = tf.TensorArray(tf.float32, 3).write(0, [1.0, 2.0])
ta.write(1, [1.0])
# --- tensor array of another type
tf.TensorArray(tf.float32, 3).write(0, tf.constant(1))
# --- tensor array without a size
tf.TensorArray(tf.float32)
# --- gradients of tensor arrays
x = tf.constant([1.0, 2.0, 3.0])
ta = tf.TensorArray(tf.float32, 3).unstack(x)
y = ta.read(0) * ta.read(2) + ta.read(1)
with tf.Session() as sess:
    show(sess.run(tf.gradients(y, x)))
# --- map_fn
x = tf.constant([1, 2, 3])
a = tf.map_fn(lambda e: e * e, x)
b = tf.map_fn(lambda e: (e[0] + e[1], e[0] * 1.5), (tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])), dtype=(tf.float32, tf.float32))
c = tf.map_fn(lambda e: tf.cast(e, tf.float32), x, dtype=tf.float32, parallel_iterations=1, back_prop=False, swap_memory=True, name="m")
show(a, b, c)
with tf.Session() as sess:
    show(sess.run([a, b, c]))
# --- map_fn of unknown shapes
x = tf.placeholder(tf.float32, [None, 3])
y = tf.map_fn(lambda r: tf.reduce_sum(r), x)
z = tf.map_fn(lambda r: r[:2], x, infer_shape=False)
show(y.shape, z.shape)
with tf.Session() as sess:
    show(sess.run([y, z], {x: np.ones((2, 3))}), sess.run([y, z], {x: np.ones((0, 3))}))
# --- map_fn of a scalar
tf.map_fn(lambda e: e, tf.constant(1.0))
# --- map_fn of another type
tf.map_fn(lambda e: tf.cast(e, tf.float32), tf.constant([1, 2]))
# --- map_fn that is not callable
tf.map_fn(3, tf.constant([1, 2]))
# --- map_fn of another structure
tf.map_fn(lambda e: (e, e), tf.constant([1, 2]))
# --- foldl foldr scan
x = tf.constant([1, 2, 3, 4, 5, 6])
a = tf.foldl(lambda a, e: a + e, x)
b = tf.foldr(lambda a, e: a - e, x)
c = tf.scan(lambda a, e: a + e, x)
d = tf.foldl(lambda a, e: a * 2 + e, x, initializer=10)
e = tf.scan(lambda a, e: a * e, x, initializer=1)
f = tf.scan(lambda a, e: a + e, x, reverse=True)
show(a, b, c, d, e, f)
with tf.Session() as sess:
    show(sess.run([a, b, c, d, e, f]))
# --- scan of structures
x = tf.constant([1.0, 2.0, 3.0])
f = tf.scan(lambda a, _: (a[1], a[0] + a[1]), x, initializer=(tf.constant(0.0), tf.constant(1.0)))
g = tf.scan(lambda a, e: {"s": a["s"] + e, "n": a["n"] + 1}, x, {"s": tf.constant(0.0), "n": tf.constant(0)})
show(f, g)
with tf.Session() as sess:
    show(sess.run([f, g]))
# --- scan of another type | refused when the loop is made, not when it runs
tf.scan(lambda a, e: tf.cast(a, tf.int32), tf.constant([1.0, 2.0]))
# --- fold that is not callable
tf.foldl(3, tf.constant([1, 2]))
# --- gradients of scans
x = tf.constant([1.0, 2.0, 3.0])
y = tf.scan(lambda a, e: a * e, x)
z = tf.foldl(lambda a, e: a * a + e, x)
m = tf.map_fn(lambda e: e * e * e, x)
with tf.Session() as sess:
    show(sess.run([tf.gradients(t, x)[0] for t in (y, z, m)]))
# --- gradients of gradients
x = tf.constant([1.0, 2.0, 3.0])
y = tf.reduce_sum(x * x * x)
(d,) = tf.gradients(y, x)
(e,) = tf.gradients(d, x)
(f,) = tf.gradients(e, x)
show(d.shape, e.shape, f.shape)
with tf.Session() as sess:
    show(sess.run([d, e, f]))
# --- partial shapes
x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32)
show(x + 1.0, tf.matmul(x, tf.zeros([4, 2])), tf.reshape(x, [-1, 2]), tf.reshape(x, [2, -1]), x[:3], x[1:])
show(tf.concat([x, x], 0), tf.concat([x, x], 1), tf.expand_dims(x, -1), tf.reduce_sum(x, 0), tf.reduce_sum(x, 1), y + 1.0)
show(tf.reduce_sum(y), tf.reduce_sum(y, 0), tf.transpose(x), tf.tile(x, [2, 2]), tf.tile(x, [1, 3]), tf.shape(x), tf.shape(y))
show(tf.stack([x, x]), tf.unstack(tf.transpose(x)), tf.gather(x, [0, 1]), tf.boolean_mask(x, x[:, 0] > 0.0), tf.where(x > 0.0))
show(tf.zeros(tf.shape(x)), tf.fill(tf.shape(x)[:1], 1), tf.reshape(y, tf.shape(x)), tf.range(tf.shape(x)[0]), tf.squeeze(y))
show(tf.nn.conv2d(tf.zeros([1, 8, 8, 3]), tf.zeros([3, 3, 3, 5]), [1, 2, 2, 1], "SAME"), tf.pad(x, [[1, 1], [0, 2]]), x + tf.zeros([3, 1]), x * tf.zeros([4]))
# --- set_shape
x = tf.placeholder(tf.float32)
x.set_shape([None, 3])
show(x)
x.set_shape([2, None])
show(x, x.shape, (x + 1.0).shape)
y = tf.reshape(tf.placeholder(tf.float32), [-1])
y.set_shape([5])
show(y, tf.placeholder(tf.float32, tf.TensorShape(None)))
# --- set_shape of another rank
tf.zeros([2, 3]).set_shape([2])
# --- set_shape of another size
x = tf.placeholder(tf.float32, [None, 3])
x.set_shape([2, 4])
# --- shapes at run time
x = tf.placeholder(tf.float32)
with tf.Session() as sess:
    show(sess.run([tf.shape(x), tf.rank(x), tf.size(x), tf.shape(x, out_type=tf.int64)], {x: np.zeros((2, 3))}))
    show(sess.run(tf.shape_n([x, x[0]]), {x: np.zeros((2, 3))}))
# --- static values
show(tf.contrib.util.constant_value(tf.constant([1, 2])), tf.contrib.util.constant_value(tf.placeholder(tf.int32)))
show(tf.contrib.util.constant_value(tf.shape(tf.zeros([2, 3]))), tf.contrib.util.constant_value(tf.range(3)))
show(tf.shape(tf.zeros([2, 3])), tf.size(tf.zeros([2, 3])), tf.rank(tf.placeholder(tf.float32, [None])))
