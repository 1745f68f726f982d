# --- a functional model
K, L = tf.keras, tf.keras.layers
x = K.Input((3,))
y = L.Dense(2, kernel_initializer="ones")(x)
model = K.Model(x, y)
show(str(x), y.shape.as_list(), [v.name for v in model.weights], model(tf.ones([2, 3])))
lines = []
model.summary(print_fn=lines.append)
show(lines, model.count_params(), [l.name for l in model.layers])
again = K.Model.from_config(model.get_config())
show([v.name for v in again.weights], model.layers[1].input_shape, model.layers[1].output_shape)
# --- several inputs, shared layers, nested models
K, L = tf.keras, tf.keras.layers
a, b = K.Input((2,)), K.Input((2,))
dense = L.Dense(3, kernel_initializer="ones")
inner = K.Model([a, b], [L.Add()([dense(a), dense(b)]), L.Multiply()([dense(a), dense(b)])])
show(inner([tf.ones([1, 2]), 2 * tf.ones([1, 2])]), len(inner.weights), len(inner.layers))
c = K.Input((2,))
outer = K.Model(c, L.Concatenate()(inner([c, c])))
show(outer(tf.ones([1, 2])), len(outer.layers))
# --- lambda layers
L = tf.keras.layers
x = tf.keras.Input((3,))
model = tf.keras.Model(x, L.Lambda(lambda t: t ** 2 + 1.0)(x))
show(model(2 * tf.ones([1, 3])), L.Lambda(lambda t: tf.reduce_sum(t, 1))(tf.ones([2, 3])))
# --- masks in a row
L = tf.keras.layers
one = "ones"
x = np.array([[1, 2, 0, 0], [3, 1, 2, 0]], np.int32)
model = tf.keras.Sequential([
    L.Embedding(4, 2, mask_zero=True, embeddings_initializer=tf.constant_initializer(0.1)),
    L.LSTM(2, kernel_initializer=one, recurrent_initializer=one, return_sequences=True),
    L.GRU(2, kernel_initializer=one, recurrent_initializer=one),
])
show(model(tf.constant(x)), [v.name for v in model.weights])
# --- recurrent layers and their gradients
L = tf.keras.layers
start = dict(kernel_initializer=tf.constant_initializer(0.2), recurrent_initializer=tf.constant_initializer(0.3))
x = tf.constant(np.cos(np.arange(24)).reshape(2, 4, 3).astype(np.float32))
for layer in L.SimpleRNN(2, **start), L.GRU(2, **start), L.LSTM(2, return_state=True, **start), L.GRU(2, reset_after=True, go_backwards=True, **start):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = layer(x)
    show(y, tape.gradient(y, x), tape.gradient if False else None)
# --- stateful
L = tf.keras.layers
start = dict(kernel_initializer=tf.constant_initializer(0.2), recurrent_initializer=tf.constant_initializer(0.3))
layer = L.LSTM(2, stateful=True, **start)
x = tf.ones([2, 3, 2])
show(layer(x), layer(x))
layer.reset_states()
show(layer(x), len(layer.weights))
# --- layers with scopes
x = tf.ones([2, 3])
layer = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer())
show(layer(x), [v.name for v in layer.variables])
show(tf.layers.flatten(tf.ones([2, 3, 4])).shape.as_list(), tf.layers.dropout(x), tf.layers.dense(x, 2).shape.as_list())
show(tf.layers.max_pooling2d(tf.ones([1, 4, 4, 2]), 2, 2), tf.layers.conv2d(tf.ones([1, 4, 4, 2]), 3, 3).shape.as_list())
# --- batch normalization with scopes
layer = tf.layers.BatchNormalization(momentum=0.5)
x = tf.constant(np.cos(np.arange(12)).reshape(4, 3).astype(np.float32))
show(layer(x, training=True), layer(x, training=False), layer.variables)
# --- in a function | recurrent layers work in functions here; TensorFlow reads an array twice
layer = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer())
rnn = tf.keras.layers.LSTM(2, kernel_initializer="ones", recurrent_initializer="ones")
f = tfe.defun(lambda x: layer(x))
g = tfe.defun(lambda x: rnn(x))
show(f(tf.ones([2, 3])), g(tf.ones([2, 3, 2])), [v.name for v in layer.variables + rnn.variables])
# --- a layer of one's own in a functional model
class Twice(tf.keras.layers.Layer):
    def build(self, shape):
        self.w = self.add_weight("w", [shape[-1].value], initializer="ones")
        self.built = True
    def call(self, x):
        return 2 * x * self.w
    def compute_output_shape(self, shape):
        return shape
x = tf.keras.Input((3,))
model = tf.keras.Model(x, Twice()(x))
show(model(tf.ones([1, 3])), [v.name for v in model.weights])
# --- an activity regularizer
tf.keras.layers.Dense(2, activity_regularizer="l2")
# --- regularization losses
layer = tf.keras.layers.Dense(2, kernel_initializer="ones", kernel_regularizer="l2")
layer(tf.ones([1, 3]))
show(layer.losses)
# --- a deferred tensor is no tensor
tf.keras.Input((3,)) + 1 if False else tf.add(tf.keras.Input((3,)), 1.0)
