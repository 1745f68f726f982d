# Seeded programs: the seeds of random ops, and what they draw (see Note [Ids]).

# --- variables and dropout
tf.set_random_seed(1)
np.random.seed(3)
x = tf.placeholder(tf.float32, [None, 784])
y = tf.placeholder(tf.float32, [None, 10])
W1 = tf.Variable(tf.random_normal([784, 64], stddev=0.1))
b1 = tf.Variable(tf.zeros([64]))
W2 = tf.Variable(tf.truncated_normal([64, 10], stddev=0.1))
b2 = tf.Variable(tf.zeros([10]))
h = tf.nn.dropout(tf.nn.relu(tf.matmul(x, W1) + b1), 0.8)
l = tf.matmul(h, W2) + b2
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=l))
W3 = tf.get_variable("w3", [3, 3])
tf.train.GradientDescentOptimizer(0.1).minimize(loss)
for o in tf.get_default_graph().get_operations():
    if "seed2" in o.node_def.attr:
        show(o.name, o.get_attr("seed"), o.get_attr("seed2"))

# --- a convolutional network
tf.set_random_seed(1)
np.random.seed(3)
x = tf.placeholder(tf.float32, [None, 784])
y = tf.placeholder(tf.int64, [None])
tr = tf.placeholder(tf.bool, [])
n = tf.reshape(x, [-1, 28, 28, 1])
n = tf.layers.conv2d(n, 8, 5, padding="same", activation=tf.nn.relu)
n = tf.layers.max_pooling2d(n, 2, 2)
n = tf.layers.batch_normalization(n, training=tr)
n = tf.layers.conv2d(n, 8, 3, dilation_rate=2)
n = tf.layers.flatten(n)
n = tf.layers.dense(n, 32, tf.nn.relu)
n = tf.layers.dropout(n, 0.4, training=tr)
n = tf.layers.dense(n, 16)
n = tf.layers.batch_normalization(n, training=tr)
n = tf.layers.dense(n, 10)
loss = tf.losses.sparse_softmax_cross_entropy(y, n)
a = tf.get_variable("a", [2, 2])
acc = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(n, 1), y), tf.float32))
b = tf.get_variable("b", [2, 2])
for o in tf.get_default_graph().get_operations():
    if "seed2" in o.node_def.attr:
        show(o.name, o.get_attr("seed"), o.get_attr("seed2"))

# --- recurrent networks
tf.set_random_seed(1)
np.random.seed(3)
R = tf.nn.rnn_cell
x = tf.placeholder(tf.float32, [None, 5, 8])
ln = tf.placeholder(tf.int32, [None])
o, s = tf.nn.dynamic_rnn(R.BasicLSTMCell(4), x, dtype=tf.float32)
w = tf.Variable(tf.random_normal([4, 3]))
l = tf.matmul(o[:, -1], w)
with tf.variable_scope("two"):
    o, s = tf.nn.dynamic_rnn(
        R.MultiRNNCell(
            [R.DropoutWrapper(R.LSTMCell(4), output_keep_prob=0.5) for _ in range(2)]
        ),
        x,
        dtype=tf.float32,
        sequence_length=ln,
    )
w = tf.get_variable("w2", [3, 3])
with tf.variable_scope("b"):
    tf.nn.bidirectional_dynamic_rnn(R.GRUCell(3), R.GRUCell(3), x, dtype=tf.float32)
w = tf.get_variable("w3", [3, 3])
for o in tf.get_default_graph().get_operations():
    if "seed2" in o.node_def.attr:
        show(o.name, o.get_attr("seed"), o.get_attr("seed2"))

# --- unrolled recurrent networks
tf.set_random_seed(1)
np.random.seed(3)
R = tf.nn.rnn_cell
x = tf.placeholder(tf.float32, [None, 28, 28])
xs = tf.unstack(x, 28, 1)
o, s = tf.nn.static_rnn(R.BasicLSTMCell(8, forget_bias=1.0), xs, dtype=tf.float32)
w = tf.Variable(tf.random_normal([8, 3]))
tf.matmul(o[-1], w)
with tf.variable_scope("g"):
    tf.nn.static_rnn(R.GRUCell(8), xs, dtype=tf.float32)
w = tf.get_variable("q", [3, 3])
for o in tf.get_default_graph().get_operations():
    if "seed2" in o.node_def.attr:
        show(o.name, o.get_attr("seed"), o.get_attr("seed2"))

# --- two networks against each other
tf.set_random_seed(1)
np.random.seed(3)
z = tf.placeholder(tf.float32, [None, 10])
x = tf.placeholder(tf.float32, [None, 784])


def G(z):
    with tf.variable_scope("G", reuse=tf.AUTO_REUSE):
        h = tf.layers.dense(z, 32, tf.nn.leaky_relu)
        h = tf.reshape(tf.layers.dense(h, 7 * 7 * 4), [-1, 7, 7, 4])
        h = tf.layers.conv2d_transpose(h, 4, 5, 2, "same")
        h = tf.layers.batch_normalization(h, training=True)
        h = tf.layers.conv2d_transpose(h, 1, 5, 2, "same", activation=tf.nn.tanh)
        return tf.contrib.layers.flatten(h)


def D(x):
    with tf.variable_scope("D", reuse=tf.AUTO_REUSE):
        h = tf.layers.dense(x, 32, tf.nn.relu)
        h = tf.layers.dropout(h, 0.3, training=True)
        return tf.layers.dense(h, 1)


f = G(z)
a = D(x)
b = D(f)
dl = tf.reduce_mean(
    tf.nn.sigmoid_cross_entropy_with_logits(logits=a, labels=tf.ones_like(a))
) + tf.reduce_mean(
    tf.nn.sigmoid_cross_entropy_with_logits(logits=b, labels=tf.zeros_like(b))
)
tf.get_variable("q", [3, 3])
for o in tf.get_default_graph().get_operations():
    if "seed2" in o.node_def.attr:
        show(o.name, o.get_attr("seed"), o.get_attr("seed2"))

# --- an autoencoder
tf.set_random_seed(1)
np.random.seed(3)
x = tf.placeholder(tf.float32, [None, 784])
h = tf.layers.dense(x, 32, tf.nn.elu)
mu = tf.layers.dense(h, 2)
ls = tf.layers.dense(h, 2)
z = mu + tf.exp(ls) * tf.random_normal(tf.shape(mu))
d = tf.layers.dense(z, 784, tf.nn.sigmoid)
kl = -0.5 * tf.reduce_sum(1 + 2 * ls - tf.square(mu) - tf.exp(2 * ls), 1)
tf.get_variable("q", [3, 3])
for o in tf.get_default_graph().get_operations():
    if "seed2" in o.node_def.attr:
        show(o.name, o.get_attr("seed"), o.get_attr("seed2"))

# --- layers of contrib
tf.set_random_seed(1)
np.random.seed(3)
L = tf.contrib.layers
x = tf.placeholder(tf.float32, [None, 28, 28, 1])
n = L.conv2d(x, 8, 3, normalizer_fn=L.batch_norm)
n = L.max_pool2d(n, 2)
n = L.conv2d(n, 8, 3, weights_regularizer=L.l2_regularizer(0.01))
n = L.flatten(n)
n = L.fully_connected(n, 20)
n = L.dropout(n, 0.5)
n = L.fully_connected(n, 10, activation_fn=None)
tf.get_variable("q", [3, 3])
for o in tf.get_default_graph().get_operations():
    if "seed2" in o.node_def.attr:
        show(o.name, o.get_attr("seed"), o.get_attr("seed2"))

# --- recurrent layers of Keras
tf.set_random_seed(1)
np.random.seed(3)
K = tf.keras.layers
m = tf.keras.Sequential(
    [
        K.Embedding(50, 8, input_length=6),
        K.LSTM(5, return_sequences=True),
        K.GRU(4),
        K.Dense(3),
    ]
)
for o in tf.get_default_graph().get_operations():
    if "seed2" in o.node_def.attr:
        show(o.name, o.get_attr("seed"), o.get_attr("seed2"))

# --- a functional model of Keras
tf.set_random_seed(1)
np.random.seed(3)
K = tf.keras.layers
i = K.Input([20])
h = K.Dense(8, activation="relu")(i)
h2 = K.Dense(8)(h)
h = K.add([h, h2])
h = K.concatenate([h, h2])
h = K.GaussianNoise(0.1)(h)
h = K.Dense(2)(h)
m = tf.keras.Model(i, h)
for o in tf.get_default_graph().get_operations():
    if "seed2" in o.node_def.attr:
        show(o.name, o.get_attr("seed"), o.get_attr("seed2"))

# --- two networks and indexing
tf.set_random_seed(1)
np.random.seed(3)
s = tf.placeholder(tf.float32, [None, 4])
a = tf.placeholder(tf.int32, [None])
r = tf.placeholder(tf.float32, [None])
with tf.variable_scope("eval"):
    q = tf.layers.dense(
        tf.layers.dense(
            s,
            20,
            tf.nn.relu,
            kernel_initializer=tf.random_normal_initializer(0.0, 0.3),
            bias_initializer=tf.constant_initializer(0.1),
        ),
        2,
    )
with tf.variable_scope("target"):
    q2 = tf.layers.dense(tf.layers.dense(s, 20, tf.nn.relu), 2)
qa = tf.reduce_sum(q * tf.one_hot(a, 2), 1)
t = tf.stop_gradient(r + 0.9 * tf.reduce_max(q2, 1))
loss = tf.reduce_mean(tf.squared_difference(t, qa))
tf.get_variable("q", [3, 3])
idx = tf.stack([tf.range(tf.shape(a)[0]), a], axis=1)
tf.gather_nd(q, idx)
tf.get_variable("q2", [3, 3])
tf.multinomial(q, 1)
tf.assign(
    q2.graph.get_collection("variables")[0], q2.graph.get_collection("variables")[0]
)
tf.get_variable("q3", [3, 3])
tf.layers.dense(tf.boolean_mask(s, r > 0), 3)
tf.clip_by_value(q, 0.0, 1.0)
tf.layers.dense(tf.tensordot(q, tf.zeros([2, 4]), 1), 3)
tf.layers.dense(tf.zeros([3, 4, 5]), 3)
tf.get_variable("q4", [3, 3])
tf.transpose(q)
tf.get_variable("q5", [2])
for o in tf.get_default_graph().get_operations():
    if "seed2" in o.node_def.attr:
        show(o.name, o.get_attr("seed"), o.get_attr("seed2"))

# --- attention
tf.set_random_seed(1)
np.random.seed(3)
ids = tf.placeholder(tf.int32, [None, 7])
E = tf.get_variable("E", [30, 16], initializer=tf.random_uniform_initializer(-1, 1))
x = tf.nn.embedding_lookup(E, ids)
q = tf.layers.dense(x, 16, use_bias=False)
k = tf.layers.dense(x, 16, use_bias=False)
s = tf.matmul(q, k, transpose_b=True) / 4.0
w = tf.nn.softmax(s)
w = tf.nn.dropout(w, 0.9)
y = tf.matmul(w, x)
y = tf.contrib.layers.layer_norm(y + x)
y = tf.layers.dense(y, 16, tf.nn.relu)
q_ = tf.concat(tf.split(q, 4, 2), 0)
y = tf.layers.conv1d(y, 8, 1)
m = tf.sign(tf.abs(tf.reduce_sum(x, -1)))
y = tf.where(tf.equal(tf.tile(tf.expand_dims(m, -1), [1, 1, 8]), 0), tf.ones_like(y), y)
tf.layers.dense(y, 3)
mean, var = tf.nn.moments(y, [-1], keep_dims=True)
tf.get_variable("q", [3, 3])
for o in tf.get_default_graph().get_operations():
    if "seed2" in o.node_def.attr:
        show(o.name, o.get_attr("seed"), o.get_attr("seed2"))

# --- datasets
tf.set_random_seed(1)
np.random.seed(3)
d = (
    tf.data.Dataset.from_tensor_slices((np.arange(10.0), np.arange(10)))
    .shuffle(5)
    .map(lambda a, b: (tf.cast(a, tf.float32) + tf.random_uniform([]), b))
    .batch(2)
    .repeat()
    .prefetch(1)
)
x, y = d.make_one_shot_iterator().get_next()
tf.layers.dense(tf.cast(tf.expand_dims(x, 1), tf.float32), 3)
d = tf.data.Dataset.from_tensor_slices(np.arange(10.0)).repeat(2).shuffle(5).batch(3)
it = d.make_initializable_iterator()
z = it.get_next()
tf.get_variable("q", [3, 3])
for o in tf.get_default_graph().get_operations():
    if "seed2" in o.node_def.attr:
        show(o.name, o.get_attr("seed"), o.get_attr("seed2"))

# --- queues
tf.set_random_seed(1)
np.random.seed(3)
x = tf.train.slice_input_producer([np.arange(10)], shuffle=True)
y = tf.train.shuffle_batch(x, 2, 20, 5)
tf.get_variable("q", [3, 3])
f = tf.train.string_input_producer(["a", "b"])
tf.get_variable("q2", [3, 3])
tf.train.batch(x, 3)
tf.get_variable("q3", [2, 2])
for o in tf.get_default_graph().get_operations():
    if "seed2" in o.node_def.attr:
        show(o.name, o.get_attr("seed"), o.get_attr("seed2"))

# --- control flow, schedules, images
tf.set_random_seed(1)
np.random.seed(3)
x = tf.placeholder(tf.float32, [None, 4])
s = tf.placeholder(tf.float32, [])
tf.cond(s > 0, lambda: tf.random_normal([2]), lambda: tf.zeros([2]))
tf.get_variable("q", [3, 3])
tf.while_loop(
    lambda i: i < 3, lambda i: i + tf.cast(tf.random_uniform([]) * 0, tf.int32), [0]
)
tf.get_variable("q2", [3, 3])
tf.map_fn(lambda a: a + tf.random_normal([4]), x)
tf.get_variable("q3", [3, 3])
tf.scan(lambda a, b: a + b, x)
tf.get_variable("q4", [3, 3])
tf.summary.scalar("a", s)
tf.summary.histogram("b", x)
tf.get_variable("q5", [3, 3])
gs = tf.train.get_or_create_global_step()
tf.get_variable("q6", [3, 3])
lr = tf.train.exponential_decay(0.1, gs, 10, 0.9, staircase=True)
tf.get_variable("q7", [3, 3])
tf.get_variable("r", [3, 3], regularizer=tf.contrib.layers.l2_regularizer(0.1))
tf.get_variable("q8", [3, 3])
tf.metrics.accuracy(x, x)
tf.get_variable("q9", [3, 3])
tf.clip_by_norm(x, 1.0)
tf.clip_by_global_norm([x, x, x], 1.0)
tf.get_variable("q10", [3, 3])
tf.get_variable("o", [3, 3], initializer=tf.orthogonal_initializer())
tf.get_variable("q11", [3, 3])
tf.image.random_flip_left_right(tf.zeros([8, 8, 3]))
tf.random_crop(tf.zeros([8, 8, 3]), [4, 4, 3])
tf.image.random_brightness(tf.zeros([8, 8, 3]), 0.1)
tf.image.per_image_standardization(tf.zeros([8, 8, 3]))
tf.get_variable("q12", [3, 3])
for o in tf.get_default_graph().get_operations():
    if "seed2" in o.node_def.attr:
        show(o.name, o.get_attr("seed"), o.get_attr("seed2"))

# --- draws
tf.set_random_seed(42)
logits = np.log([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])
ops = []
for dtype in (tf.float16, tf.float32, tf.float64):
    ops += [
        f([3, 5], dtype=dtype, seed=3)
        for f in (tf.random_uniform, tf.random_normal, tf.truncated_normal)
    ]
ops += [
    tf.random_uniform([9], 0, 10, tf.int32, seed=4),
    tf.random_uniform([9], -5, 2**40, tf.int64),
]
ops += [
    tf.random_shuffle(np.arange(30)),
    tf.random_shuffle(np.arange(12).reshape(6, 2), seed=1),
]
ops += [
    tf.multinomial(logits, 11),
    tf.multinomial(logits.astype("f"), 7, seed=2, output_dtype=tf.int32),
]
ops += [tf.random_gamma([4], [0.3, 0.5, 1.0, 1.5, 20.0], dtype=tf.float64)]
ops += [
    tf.random_poisson([0.3, 5.0, 10.0, 50.0, 1000.0], [6]),
    tf.random_poisson(3.0, [5], tf.int32),
]
ops += [tf.random_crop(np.arange(64).reshape(8, 8), [2, 3])]
with tf.Session() as session:
    for _ in range(2):
        for op in ops:
            show(session.run(op))

# --- without a seed of the graph
x = [
    tf.random_uniform([3], seed=5),
    tf.random_normal([3], seed=5),
    tf.random_uniform([3], seed=5),
]
with tf.Session() as session:
    show(session.run(x), session.run(x))
with tf.Session() as session:
    show(session.run(x))

# --- training a perceptron with dropout
tf.set_random_seed(7)
rng = np.random.RandomState(0)
X, Y = (rng.rand(200, 30).astype("f"), np.eye(10)[rng.randint(0, 10, 200)].astype("f"))
x, y = (tf.placeholder(tf.float32, [None, 30]), tf.placeholder(tf.float32, [None, 10]))
w = tf.Variable(tf.random_normal([30, 64], stddev=0.1))
v = tf.Variable(tf.truncated_normal([64, 10], stddev=0.1))
h = tf.nn.dropout(tf.nn.relu(tf.matmul(x, w)), 0.8)
losses = tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=tf.matmul(h, v))
loss = tf.reduce_mean(losses)
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(20):
        part = slice(i % 10 * 20, i % 10 * 20 + 20)
        found, _ = session.run([loss, step], {x: X[part], y: Y[part]})
        show(np.float16(found))

# --- training a convolutional network with dropout
tf.set_random_seed(8)
rng = np.random.RandomState(0)
X, Y = (rng.rand(100, 8, 8, 1).astype("f"), rng.randint(0, 10, 100))
n = tf.layers.conv2d(tf.constant(X), 4, 3, padding="same", activation=tf.nn.relu)
n = tf.layers.flatten(tf.layers.max_pooling2d(n, 2, 2))
n = tf.layers.dropout(tf.layers.dense(n, 16, tf.nn.relu), 0.4, training=True)
loss = tf.losses.sparse_softmax_cross_entropy(Y, tf.layers.dense(n, 10))
step = tf.train.AdamOptimizer(0.001).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(20):
        show(np.float16(session.run([loss, step])[0]))

# --- training an LSTM
tf.set_random_seed(9)
x = tf.constant(np.random.RandomState(0).rand(20, 6, 5).astype("f"))
out, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(8), x, dtype=tf.float32)
w = tf.Variable(tf.random_normal([8, 3]))
loss = tf.reduce_mean(tf.square(tf.matmul(out[:, -1], w) - 1.0))
step = tf.train.RMSPropOptimizer(0.01).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(20):
        show(np.float16(session.run([loss, step])[0]))

# --- training two networks against each other
tf.set_random_seed(10)
x = tf.constant(np.random.RandomState(0).rand(20, 12).astype("f"))
z = tf.random_normal([20, 4])


def made(z):
    with tf.variable_scope("G", reuse=tf.AUTO_REUSE):
        h = tf.layers.dense(z, 16, tf.nn.relu)
        return tf.layers.dense(h, 12, tf.nn.sigmoid)


def judged(x):
    with tf.variable_scope("D", reuse=tf.AUTO_REUSE):
        h = tf.layers.dense(x, 16, tf.nn.leaky_relu)
        return tf.layers.dense(tf.layers.dropout(h, 0.3, training=True), 1)


a, b = (judged(x), judged(made(z)))
entropy = tf.nn.sigmoid_cross_entropy_with_logits
d_loss = tf.reduce_mean(entropy(logits=a, labels=tf.ones_like(a)))
d_loss += tf.reduce_mean(entropy(logits=b, labels=tf.zeros_like(b)))
g_loss = tf.reduce_mean(entropy(logits=b, labels=tf.ones_like(b)))
parts = [[v for v in tf.trainable_variables() if v.name[0] == k] for k in "DG"]
steps = [
    tf.train.AdamOptimizer(0.001).minimize(loss, var_list=part)
    for loss, part in zip((d_loss, g_loss), parts)
]
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(20):
        show(
            [
                np.float16(session.run([loss, step])[0])
                for loss, step in zip((d_loss, g_loss), steps)
            ]
        )

# --- training with Keras
np.random.seed(1)
tf.set_random_seed(2)
K = tf.keras.layers
rng = np.random.RandomState(0)
X, Y = (rng.rand(60, 12).astype("f"), np.eye(3)[rng.randint(0, 3, 60)].astype("f"))
model = tf.keras.Sequential(
    [
        K.Dense(8, activation="relu", input_shape=(12,)),
        K.Dropout(0.3),
        K.Dense(3, activation="softmax"),
    ]
)
model.compile("adam", "categorical_crossentropy")
history = model.fit(X, Y, epochs=3, batch_size=20, verbose=0)
show([np.float16(v) for v in history.history["loss"]])

# --- a pipeline
tf.set_random_seed(3)
rows = tf.data.Dataset.from_tensor_slices(np.arange(12.0).astype("f"))
rows = rows.shuffle(5).repeat().batch(4)
x = tf.reshape(rows.make_one_shot_iterator().get_next(), [4, 1])
y = tf.layers.dense(tf.layers.dropout(x, 0.5, training=True), 3)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for i in range(4):
        show(session.run([x, y]))
