# Seeded programs: what random ops draw eagerly.

# --- draws
tf.set_random_seed(42)
logits = np.log([[.1, .2, .7], [.3, .3, .4]])
for _ in range(2):
    for seed in (None, 3):
        for dtype in (tf.float16, tf.float32, tf.float64):
            show(tf.random_uniform([5], dtype=dtype, seed=seed))
            show(tf.random_normal([5], dtype=dtype, seed=seed))
            show(tf.truncated_normal([5], dtype=dtype, seed=seed))
        show(tf.random_uniform([9], 0, 10, tf.int32, seed=seed))
        show(tf.random_uniform([9], -5, 2**40, tf.int64, seed=seed))
        show(tf.random_shuffle(np.arange(30), seed=seed))
        show(tf.multinomial(logits, 11, seed=seed))
        show(tf.random_gamma([4], [.3, 1., 20.], dtype=tf.float64, seed=seed))
        show(tf.random_poisson([.3, 10., 1000.], [6], seed=seed))
        show(tf.nn.dropout(np.ones([9], "f"), .6, seed=seed))

# --- without a seed of the program
tf.set_random_seed(None)
for _ in range(2):
    show(tf.random_uniform([3], seed=5), tf.random_normal([3], seed=5))

# --- initializers
tf.set_random_seed(1)
for make in (
    tf.glorot_uniform_initializer(), tf.glorot_normal_initializer(),
    tf.variance_scaling_initializer(), tf.truncated_normal_initializer(stddev=.1),
    tf.random_uniform_initializer(-1, 1), tf.random_normal_initializer(),
    tf.keras.initializers.he_normal(), tf.keras.initializers.lecun_uniform(seed=5),
    tf.uniform_unit_scaling_initializer(),
):
    show(make([3, 2], dtype=tf.float32))

# --- layers
tf.set_random_seed(5)
K = tf.keras.layers
for layer in (K.Dense(4), K.GRU(3), K.LSTM(2), K.SimpleRNN(2)):
    shape = [1, 3] if isinstance(layer, K.Dense) else [1, 2, 3]
    layer(tf.ones(shape))
    show(np.round(layer.get_weights()[0], 5), np.round(layer.get_weights()[1], 5))
show(tf.random_uniform([2]))

# --- functions
tf.set_random_seed(6)
f = tfe.defun(lambda: tf.random_uniform([3]))
g = tfe.defun(lambda: tf.random_uniform([3], seed=2))
show(f(), g(), f(), g(), tf.random_uniform([3]))

# --- datasets
tf.set_random_seed(7)
rows = tf.data.Dataset.from_tensor_slices(np.arange(12.)).shuffle(4).repeat(2).batch(5)
show([x.numpy() for x in rows], [x.numpy() for x in rows])
rows = tf.data.Dataset.range(4).map(lambda x: tf.random_uniform([], seed=3))
show([x.numpy() for x in rows], tf.random_uniform([2]))

# --- training
tf.set_random_seed(8)
rng = np.random.RandomState(0)
X, Y = rng.rand(60, 12).astype("f"), rng.randint(0, 3, 60)
K = tf.keras.layers
model = tf.keras.Sequential([K.Dense(8, activation="relu"), K.Dropout(.3), K.Dense(3)])
optimizer = tf.train.AdamOptimizer(1e-2)
rows = tf.data.Dataset.from_tensor_slices((X, Y)).shuffle(50).repeat(4).batch(12)
for x, y in rows:
    with tf.GradientTape() as tape:
        loss = tf.losses.sparse_softmax_cross_entropy(y, model(x, training=True))
    slopes = tape.gradient(loss, model.variables)
    optimizer.apply_gradients(zip(slopes, model.variables))
    show(np.float16(loss.numpy()))
