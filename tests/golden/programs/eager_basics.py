# --- constants keep or choose a dtype
show(tf.constant(1), tf.constant(1.0), tf.constant([1, 2]), tf.constant([1.0, 2]))
show(tf.constant(True), tf.constant("a"), tf.constant([b"a", "b"]), tf.constant(1j))
show(tf.constant(np.arange(3)), tf.constant(np.float64(2)), tf.constant(2**40))

# --- printed forms
show(tf.constant([[1, 2], [3, 4]]), tf.constant([[4.0]]), tf.zeros([0]))
show(tf.zeros([2, 0]))
show(tf.constant(3), tf.fill([1000], 1.5), tf.constant([1e-10, 1e10]))

# --- different dtypes do not mix
tf.constant(1) + tf.constant(1.0)
