# --- dynamic rnn
x = tf.placeholder(tf.float32, [None, 4, 3], name="x")
cell = tf.nn.rnn_cell.BasicLSTMCell(2)
out, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
show(out, state, type(state).__name__, cell.state_size, cell.output_size)
show([v.name for v in tf.global_variables()], [v.name for v in cell.variables], [v.shape for v in tf.trainable_variables()])
# --- values of a basic lstm
x = np.arange(24, dtype=np.float32).reshape(2, 4, 3) / 24
with tf.variable_scope("a", initializer=tf.constant_initializer(0.1)):
    out, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicLSTMCell(2), x, sequence_length=[2, 4], dtype=tf.float32)
(g,) = tf.gradients(out, tf.trainable_variables()[:1])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run([out, state, g]))
# --- values of gru and basic cells
x = np.arange(24, dtype=np.float32).reshape(2, 4, 3) / 24
with tf.variable_scope("a", initializer=tf.constant_initializer(0.1)):
    a = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), x, dtype=tf.float32)
    b = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicRNNCell(2), x, dtype=tf.float32, scope="other")
    c = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(2, use_peepholes=True, num_proj=1), x, dtype=tf.float32, scope="third")
show([v.name for v in tf.global_variables()])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run([a, b, c]))
# --- names in a variable scope
x = tf.placeholder(tf.float32, [2, 4, 3], name="x")
with tf.variable_scope("encoder"):
    out, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), x, dtype=tf.float32)
with tf.variable_scope("decoder"):
    tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2, name="mine"), x, initial_state=state, scope="loop")
with tf.variable_scope("encoder", reuse=True):
    again, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), x, dtype=tf.float32)
show(out, again, state, [v.name for v in tf.global_variables()])
# --- two rnns without scopes
x = tf.placeholder(tf.float32, [2, 4, 3], name="x")
tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), x, dtype=tf.float32)
try:
    tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), x, dtype=tf.float32)
except ValueError as error:
    show(str(error).split("\n")[0])
# --- multi cells
x = tf.placeholder(tf.float32, [2, 4, 3], name="x")
R = tf.nn.rnn_cell
cell = R.MultiRNNCell([R.DropoutWrapper(R.BasicLSTMCell(2), output_keep_prob=1.0), R.ResidualWrapper(R.GRUCell(2))])
out, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
show(out, state, [v.name for v in tf.global_variables()], cell.state_size)
# --- time major
x = tf.placeholder(tf.float32, [4, None, 3], name="x")
out, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), x, dtype=tf.float32, time_major=True, swap_memory=True, parallel_iterations=1)
show(out, state)
# --- bidirectional
x = tf.placeholder(tf.float32, [2, 4, 3], name="x")
R = tf.nn.rnn_cell
(fw, bw), (a, b) = tf.nn.bidirectional_dynamic_rnn(R.GRUCell(2), R.GRUCell(5), x, sequence_length=[3, 4], dtype=tf.float32)
show(fw, bw, a, b, [v.name for v in tf.global_variables()])
# --- static rnn
x = tf.placeholder(tf.float32, [2, 3, 4], name="x")
outs, state = tf.nn.static_rnn(tf.nn.rnn_cell.BasicLSTMCell(2), tf.unstack(x, axis=1), dtype=tf.float32)
show(outs, state, [v.name for v in tf.global_variables()])
# --- static rnn with lengths
x = np.arange(24, dtype=np.float32).reshape(2, 4, 3) / 24
with tf.variable_scope("a", initializer=tf.constant_initializer(0.1)):
    outs, state = tf.nn.static_rnn(tf.nn.rnn_cell.BasicRNNCell(2), tf.unstack(tf.constant(x), axis=1), sequence_length=[1, 3], dtype=tf.float32)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run([outs, state]))
# --- static bidirectional
x = tf.placeholder(tf.float32, [2, 3, 4], name="x")
R = tf.nn.rnn_cell
outs, a, b = tf.nn.static_bidirectional_rnn(R.GRUCell(2), R.GRUCell(3), tf.unstack(x, axis=1), dtype=tf.float32)
show(outs, a, b, [v.name for v in tf.global_variables()])
# --- a cell by itself
cell = tf.nn.rnn_cell.BasicLSTMCell(2, forget_bias=0.0)
x = tf.placeholder(tf.float32, [5, 3], name="x")
state = cell.zero_state(5, tf.float32)
out, state = cell(x, state)
show(out, state, [v.name for v in cell.variables], cell.zero_state(5, tf.float32))
# --- raw rnn
x = np.arange(24, dtype=np.float32).reshape(4, 2, 3) / 24
ta = tf.TensorArray(tf.float32, 4).unstack(tf.constant(x))
cell = tf.nn.rnn_cell.BasicRNNCell(2)
def loop_fn(time, output, state, loop_state):
    finished = time >= tf.constant([2, 4])
    done = tf.reduce_all(finished)
    inputs = tf.cond(done, lambda: tf.zeros([2, 3]), lambda: ta.read(time))
    if output is None:
        return finished, inputs, cell.zero_state(2, tf.float32), output, None
    return finished, inputs, state, output, None
with tf.variable_scope("a", initializer=tf.constant_initializer(0.1)):
    outs, state, _ = tf.nn.raw_rnn(cell, loop_fn)
y = outs.stack()
show(y.dtype, state, [v.name for v in tf.global_variables()])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run([y, state]))
# --- no dtype and no state
tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), tf.zeros([2, 3, 4]))
# --- unknown depth
tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), tf.placeholder(tf.float32, [None, None, None]), dtype=tf.float32)
# --- not a cell
tf.nn.dynamic_rnn("cell", tf.zeros([2, 3, 4]), dtype=tf.float32)
# --- lengths of another rank
tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(2), tf.zeros([2, 3, 4]), sequence_length=[[1]], dtype=tf.float32)
# --- state of another structure
cell = tf.nn.rnn_cell.BasicLSTMCell(2)
tf.nn.dynamic_rnn(cell, tf.zeros([2, 3, 4]), initial_state=tf.zeros([2, 2]))
# --- training an lstm
np.random.seed(0)
x = np.random.randn(4, 5, 3).astype(np.float32)
with tf.variable_scope("a", initializer=tf.constant_initializer(0.1)):
    out, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.BasicLSTMCell(3), x, dtype=tf.float32)
loss = tf.reduce_mean(tf.square(out[:, -1] - 0.5))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show([sess.run([loss, train])[0] for _ in range(5)])
