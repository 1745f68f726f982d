# --- arithmetic
K = tf.keras.backend
x = tf.constant([[1.0, -2.0, 3.0], [0.5, 4.0, -1.0]])
show(K.abs(x), K.sqrt(x), K.clip(x, -1, 2), K.pow(x, 2), K.sign(x), K.exp(x), K.square(x), K.round(x))
show(K.max(x, 1), K.min(x), K.sum(x, 0, keepdims=True), K.mean(x, 1), K.prod(x, 1), K.var(x, 1), K.std(x))
show(K.any(x > 1, 1), K.all(x > -5), K.argmax(x), K.argmin(x, 0), K.mean(x > 1), K.maximum(x, 0.0), K.equal(x, x))
# --- products
K = tf.keras.backend
a = tf.constant(np.arange(24).reshape(2, 3, 4).astype(np.float32))
b = tf.constant(np.arange(8).reshape(4, 2).astype(np.float32))
c = tf.constant(np.arange(40).reshape(2, 4, 5).astype(np.float32))
show(K.dot(a, b), K.dot(b, tf.ones([2, 3])), K.batch_dot(a, c), K.batch_dot(a, c, axes=(2, 1)))
show(K.batch_dot(tf.ones([2, 3]), tf.ones([2, 3]), axes=1), K.batch_dot(a, tf.ones([2, 4]), axes=(2, 1)))
# --- shapes
K = tf.keras.backend
x = tf.constant(np.arange(12).reshape(2, 3, 2).astype(np.float32))
show(K.reshape(x, (3, 4)), K.permute_dimensions(x, (0, 2, 1)), K.flatten(x), K.batch_flatten(x), K.expand_dims(x).shape)
show(K.repeat(tf.ones([2, 2]), 3).shape, K.repeat_elements(x, 2, 1), K.reverse(x, 1), K.concatenate([x, x], 1).shape)
show(K.stack([x, x]).shape, K.one_hot(tf.constant([1, 0]), 3), K.gather(x, tf.constant([1, 0])), K.cast(x, "int32"))
show(K.arange(3), K.arange(1, 7, 2), K.squeeze(tf.ones([2, 1]), 1), K.transpose(tf.ones([2, 3])).shape, K.int_shape(x), K.ndim(x), K.dtype(x))
# --- variables
K = tf.keras.backend
v = K.variable([[1.0, 2.0]], name="v")
show(K.get_value(v), v.name, K.count_params(v), K.dtype(v))
K.set_value(v, [[3.0, 4.0]])
K.update_add(v, [[1.0, 1.0]])
show(K.get_value(v), K.get_value(K.zeros((2,))), K.ones_like(v), K.batch_get_value([v]), K.get_value(K.eye(2)))
show(K.floatx(), K.epsilon(), K.image_data_format(), K.backend(), K.is_sparse(v))
# --- neural networks
K = tf.keras.backend
x = tf.constant(np.cos(np.arange(32)).reshape(1, 4, 4, 2).astype(np.float32))
k = tf.constant(np.sin(np.arange(12)).reshape(2, 2, 2, -1)[..., :1].astype(np.float32)) if False else tf.constant(np.sin(np.arange(16)).reshape(2, 2, 2, 2).astype(np.float32))
show(K.conv2d(x, k), K.conv2d(x, k, (2, 2), "same"), K.pool2d(x, (2, 2)), K.pool2d(x, (2, 2), (2, 2), "same", pool_mode="avg"))
show(K.bias_add(x, tf.constant([1.0, 2.0])), K.l2_normalize(x, 3), K.softmax(tf.constant([[1.0, 2.0]])), K.hard_sigmoid(x))
show(K.conv1d(x[0], k[0], padding="causal"), K.temporal_padding(x[0]).shape, K.spatial_2d_padding(x).shape, K.resize_images(x, 2, 1, "channels_last").shape)
# --- losses
K = tf.keras.backend
p = tf.constant([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])
t = tf.constant([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])
show(K.categorical_crossentropy(t, p), K.binary_crossentropy(t, p), K.sparse_categorical_crossentropy(tf.constant([2, 0]), p))
show(K.categorical_crossentropy(t, p, from_logits=True), K.binary_crossentropy(t, p, from_logits=True))
show(K.in_top_k(p, tf.constant([2, 1]), 1))
# --- choices and loops
K = tf.keras.backend
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
show(K.switch(tf.constant(True), x, -x), K.switch(tf.constant([True, False]), x, -x) if False else None)
show(K.in_train_phase(x, -x, training=1), K.in_test_phase(x, -x, training=1), K.map_fn(lambda r: r * 2, x), K.foldl(lambda a, b: a + b, x))
# --- running along time
K = tf.keras.backend
x = tf.constant(np.arange(12).reshape(2, 3, 2).astype(np.float32))
step = lambda t, s: (t + s[0], [t + s[0]])
last, out, states = K.rnn(step, x, [tf.zeros([2, 2])])
show(last, out, states)
last, out, states = K.rnn(step, x, [tf.zeros([2, 2])], go_backwards=True, unroll=True)
show(last, out, states)
# --- utilities
U = tf.keras.utils
show(U.to_categorical([0, 2, 1]), U.to_categorical([[1], [0]], 3), U.normalize(np.array([[3.0, 4.0]])))
show(U.serialize_keras_object(tf.keras.regularizers.l2(0.5)), sorted(U.get_custom_objects()))
