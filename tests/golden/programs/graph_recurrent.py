# --- constants of a cell
K, L = tf.keras, tf.keras.layers
class Cell(L.Layer):
    def __init__(self, units, **kwargs):
        self.units = self.state_size = units
        super(Cell, self).__init__(**kwargs)
    def build(self, shapes):
        self.w = self.add_weight("w", (int(shapes[0][-1]), self.units), initializer="ones")
        self.u = self.add_weight("u", (int(shapes[1][-1]), self.units), initializer="ones")
        self.built = True
    def call(self, x, states, constants):
        y = tf.matmul(x, self.w) + tf.matmul(constants[0], self.u) + 0.5 * states[0]
        return y, [y]
x, c = K.Input((3, 2)), K.Input((4,))
layer = L.RNN(Cell(2))
y = layer(x, constants=c)
model = K.Model([x, c], y)
show(y.shape.as_list(), [v.name for v in model.weights], len(model.layers))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(y, {x: np.ones((1, 3, 2)), c: np.ones((1, 4))}))
# --- initial states of both directions
K, L = tf.keras, tf.keras.layers
x, h = K.Input((3, 2)), K.Input((2,))
layer = L.Bidirectional(L.GRU(2, kernel_initializer="ones", recurrent_initializer="ones"))
y = layer(x, initial_state=[h, h])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(y.shape.as_list(), sess.run(y, {x: np.full((1, 3, 2), 0.1), h: np.full((1, 2), 0.5)}))
# --- initial states that are no inputs
L = tf.keras.layers
layer = L.LSTM(2, kernel_initializer="ones", recurrent_initializer="ones", return_state=True)
y = layer(tf.fill([1, 3, 2], 0.1), initial_state=[tf.fill([1, 2], 0.5), tf.zeros([1, 2])])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(y))
# --- the wrong number of states
L = tf.keras.layers
L.LSTM(2)(tf.ones([1, 3, 2]), initial_state=[tf.ones([1, 2])])
# --- dropout is for training
L = tf.keras.layers
x = tf.ones([2, 5, 3])
found = []
for impl in 1, 2:
    layer = L.LSTM(4, dropout=0.5, recurrent_dropout=0.5, implementation=impl, kernel_initializer="ones")
    a, b = layer(x, training=False), layer(x, training=True)
    found += [tf.reduce_any(tf.not_equal(a, b)), tf.shape(b)]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(found))
# --- the learning phase
K, L = tf.keras, tf.keras.layers
x = K.Input((3,))
y = L.Dropout(0.9999)(x)
with tf.Session() as sess:
    feed = {x: np.ones((2, 3))}
    show(sess.run(y, feed), sess.run(y, dict(feed, **{K.backend.learning_phase(): 1})) if False else None)
    show(sess.run(y, {x: np.ones((2, 3)), K.backend.learning_phase(): True}))
# --- masks through wrappers
K, L = tf.keras, tf.keras.layers
x = K.Input((3, 2))
m = L.Masking()(x)
t = L.TimeDistributed(L.Dense(2, kernel_initializer="ones"))(m)
y = L.SimpleRNN(1, kernel_initializer="ones", recurrent_initializer="ones")(t)
show(t._keras_mask is not None, y._keras_mask, L.Activation("relu")(m)._keras_mask is not None)
add = L.Add()([m, m])
show(add._keras_mask is not None, L.Concatenate()([m, m])._keras_mask is not None)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(y, {x: [[[0.1, 0.2], [0.0, 0.0], [0.1, 0.1]]]}))
# --- a row of convolutions along time
L = tf.keras.layers
model = tf.keras.Sequential([L.TimeDistributed(L.Conv2D(2, 2, kernel_initializer="ones"), input_shape=(2, 3, 3, 1)), L.TimeDistributed(L.Flatten()), L.LSTM(2)])
show([v.name for v in model.weights], model.output_shape, [l.output_shape for l in model.layers])
# --- steps that are not known
L = tf.keras.layers
x = tf.placeholder(tf.float32, [None, None, 2])
a = L.GRU(2, kernel_initializer="ones", recurrent_initializer="ones", return_sequences=True)(x)
b = L.SimpleRNN(2, kernel_initializer="ones", recurrent_initializer="ones", go_backwards=True)(x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(a.shape.as_list(), b.shape.as_list(), sess.run([a, b], {x: np.full((1, 2, 2), 0.1)}), sess.run(b, {x: np.full((2, 4, 2), 0.1)}))
# --- convolutions with states
L = tf.keras.layers
x = tf.constant(np.cos(np.arange(54)).reshape(2, 3, 3, 3, 1).astype(np.float32))
layer = L.ConvLSTM2D(1, 2, kernel_initializer="ones", recurrent_initializer="ones", go_backwards=True, strides=(1, 2), padding="same")
y = layer(x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(y), layer.compute_output_shape((2, 3, 3, 3, 1)).as_list())
# --- losses of inner layers
K, L = tf.keras, tf.keras.layers
layer = L.LSTM(2, kernel_regularizer="l2", recurrent_regularizer="l1", bias_regularizer="l2")
layer(K.Input((3, 2)))
both = L.Bidirectional(L.GRU(2, kernel_regularizer="l2"))
both(K.Input((3, 2)))
show(len(layer.losses), len(both.losses), len(both.trainable_weights), both.count_params())
layer.trainable = False
show(len(layer.trainable_weights), len(layer.non_trainable_weights))
# --- settings there and back
L = tf.keras.layers
for layer in L.Bidirectional(L.LSTM(2, return_sequences=True), merge_mode="sum"), L.TimeDistributed(L.Dense(2)), L.RNN([L.GRUCell(2), L.LSTMCell(3)]), L.ConvLSTM2D(2, 3, padding="same"):
    again = type(layer).from_config(layer.get_config())
    show(again.get_config() == layer.get_config(), sorted(layer.get_config()))
