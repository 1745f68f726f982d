# --- cells of contrib
R = tf.contrib.rnn
x = np.arange(24, dtype=np.float32).reshape(2, 4, 3) / 24
cells = [R.LayerNormBasicLSTMCell(2), R.LayerNormBasicLSTMCell(2, layer_norm=False), R.UGRNNCell(2), R.LSTMBlockCell(2), R.LSTMBlockCell(2, use_peephole=True, cell_clip=0.1)]
outputs = []
for i, cell in enumerate(cells):
    with tf.variable_scope("s%d" % i, initializer=tf.constant_initializer(0.1)):
        outputs.append(tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)[0])
show([v.name for v in tf.global_variables()])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(outputs[1:]))
# --- wrappers of contrib
R = tf.contrib.rnn
x = tf.constant(np.arange(12, dtype=np.float32).reshape(2, 2, 3) / 12)
ids = tf.constant([[[0], [2]], [[1], [1]]])
with tf.variable_scope("a", initializer=tf.constant_initializer(0.1)):
    cells = [R.InputProjectionWrapper(R.GRUCell(2), 3, activation=tf.nn.relu), R.OutputProjectionWrapper(R.GRUCell(2), 3), R.HighwayWrapper(R.BasicRNNCell(3))]
    outs = [tf.nn.dynamic_rnn(c, x, dtype=tf.float32, scope="l%d" % i)[0] for i, c in enumerate(cells)]
    outs.append(R.static_rnn(R.EmbeddingWrapper(R.GRUCell(2), 3, 4), [ids[:, 0], ids[:, 1]], dtype=tf.float32)[0])
show([(v.name, v.shape) for v in tf.global_variables()])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(outs))
# --- stacked bidirectional layers
R = tf.contrib.rnn
x = np.arange(12, dtype=np.float32).reshape(2, 2, 3) / 12
with tf.variable_scope("a", initializer=tf.constant_initializer(0.1)):
    out, fw, bw = R.stack_bidirectional_dynamic_rnn([R.GRUCell(2), R.GRUCell(1)], [R.GRUCell(2), R.GRUCell(1)], x, dtype=tf.float32, sequence_length=[2, 1])
    outs, _, _ = R.stack_bidirectional_rnn([R.GRUCell(2)], [R.GRUCell(2)], tf.unstack(tf.constant(x), axis=1), dtype=tf.float32, scope="listed")
show([v.name for v in tf.global_variables()], R.transpose_batch_time(tf.zeros([2, 3, 4])).shape)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run([out, fw, bw, outs]))
# --- no layers
tf.contrib.rnn.stack_bidirectional_dynamic_rnn([], [], tf.zeros([1, 2, 3]))
# --- losses of sequences
S = tf.contrib.seq2seq
L = tf.contrib.legacy_seq2seq
logits = np.arange(24, dtype=np.float32).reshape(2, 3, 4) % 5
targets, weights = np.array([[0, 1, 2], [3, 3, 0]]), np.array([[1, 1, 0], [0.5, 1, 1]], np.float32)
args = tf.constant(logits), tf.constant(targets), tf.constant(weights)
with tf.Session() as sess:
    show(sess.run([S.sequence_loss(*args, average_across_timesteps=a, average_across_batch=b) for a in (True, False) for b in (True, False)]))
    lists = [tf.unstack(v, axis=1) for v in args]
    show(sess.run([L.sequence_loss(*lists), L.sequence_loss_by_example(*lists), L.sequence_loss_by_example(*lists, average_across_timesteps=False)]))
    show(sess.run([S.hardmax([[1.0, 3.0, 2.0]]), S.tile_batch(tf.constant([[1, 2], [3, 4]]), 2)]))
# --- a loss of the wrong shape
tf.contrib.seq2seq.sequence_loss(tf.zeros([2, 3]), tf.zeros([2], tf.int32), tf.zeros([2]))
# --- decoders of lists
L = tf.contrib.legacy_seq2seq
x = tf.constant(np.arange(6, dtype=np.float32).reshape(2, 3) / 6)
i, j = tf.constant([[0], [1]]), tf.constant([[1], [2]])
cell = tf.nn.rnn_cell.GRUCell(2)
with tf.variable_scope("a", initializer=tf.constant_initializer(0.1)):
    a, sa = L.basic_rnn_seq2seq([x, x], [x, x, x], cell)
    b, sb = L.tied_rnn_seq2seq([x], [x, x], tf.nn.rnn_cell.GRUCell(2))
    c, sc = L.embedding_rnn_seq2seq([i] * 2, [tf.squeeze(j, 1)] * 3, tf.nn.rnn_cell.GRUCell(2), 3, 4, 5, feed_previous=True)
    d, sd = L.rnn_decoder([x, x], tf.zeros([2, 2]), tf.nn.rnn_cell.GRUCell(2), lambda prev, i: tf.pad(prev, [[0, 0], [0, 1]]))
show([(v.name, v.shape) for v in tf.global_variables()])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run([a, sa, b, sb, c, sc, d, sd]))
# --- variables by name
F = tf.contrib.framework
with tf.variable_scope("a"):
    w = F.variable("w", [2], initializer=tf.ones_initializer())
    m = F.model_variable("m", [1], regularizer=lambda v: tf.reduce_sum(v))
    local = F.local_variable(3.0, name="l")
with tf.variable_scope("b"):
    other = tf.get_variable("w", [2])
step = F.get_or_create_global_step()
names = lambda vs: [v.name for v in vs]
show(names(F.get_variables()), names(F.get_variables("a")), names(F.get_variables(suffix="w")), names(F.get_variables_by_suffix("m")), names(F.get_variables_by_name("w")))
show(names(F.get_model_variables()), names(F.get_local_variables()), names(F.get_trainable_variables("b")), names(F.get_variables_to_restore(exclude=["a", "global"])), names(F.get_variables_to_restore(include=["a"])))
show(F.get_unique_variable("a/w").name, F.get_variable_full_name(other), names(F.filter_variables(tf.global_variables(), ["w"], ["^b"])), F.assert_or_get_global_step() is step)
op, feed = F.assign_from_values({"a/w": np.array([5.0, 6.0], np.float32)})
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(op, feed)
    show(sess.run(w))
    show(sess.run(F.with_shape([2], w)), F.with_shape([2, 3], tf.placeholder(tf.float32, [None, 3])).shape, sess.run(F.reduce_sum_n([tf.ones([2]), tf.ones([3])])))
F.get_unique_variable("nope")
# --- a shape that is another one
tf.contrib.framework.with_shape([3], tf.constant([1.0, 2.0]))
# --- an integer scalar
tf.contrib.framework.assert_scalar_int(tf.constant(1.5))
# --- transformations of contrib
D = tf.contrib.data
R = tf.data.Dataset.range
def every(dataset):
    get = dataset.make_one_shot_iterator().get_next()
    found = []
    with tf.Session() as sess:
        try:
            while len(found) < 12:
                found.append(sess.run(get))
        except tf.errors.OutOfRangeError:
            return found
    return found
show(every(R(5).apply(D.batch_and_drop_remainder(2))), every(R(3).apply(D.enumerate_dataset(5))))
show(every(R(5).apply(D.map_and_batch(lambda i: i * i, 2))), every(R(4).batch(2).apply(D.unbatch())))
show(every(D.Counter(3, 2).take(3)), sorted(every(R(3).apply(D.shuffle_and_repeat(5, 2, seed=1)))))
with tf.Session() as sess:
    show(sess.run(D.get_single_element(R(1))))
# --- two ways to say how parallel
tf.contrib.data.map_and_batch(lambda x: x, 2, num_parallel_batches=1, num_parallel_calls=3)
