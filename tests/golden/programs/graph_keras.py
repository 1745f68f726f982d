# --- a functional model
K, L = tf.keras, tf.keras.layers
x = K.Input((3,))
y = L.BatchNormalization()(L.Dense(2, kernel_regularizer=K.regularizers.l2(0.1))(x))
model = K.Model(x, y)
show(x, y, model(tf.ones([2, 3])), model.inputs, model.outputs, [v.name for v in model.weights])
show(len(model.losses), len(model.updates), len(model.get_updates_for(x)), len(model.get_updates_for(None)))
show([layer.name for layer in model.layers], model.input_names, model.output_names, model.count_params())
# --- several inputs and outputs
K, L = tf.keras, tf.keras.layers
a = K.Input((4,), name="a")
s = L.Add(name="s")([L.Dense(4, name="d1")(a), L.Dense(4, name="d2")(a)])
o = L.Dense(1, name="o")(s)
model = K.Model(a, [s, o])
show([layer.name for layer in model.layers], model(tf.ones([2, 4])), model.output_shape, model.input_shape)
lines = []
model.summary(print_fn=lines.append)
show(lines)
config = model.get_config()
show([[l["name"], l["inbound_nodes"]] for l in config["layers"]], config["input_layers"], config["output_layers"])
again = K.Model.from_config(config)
show([layer.name for layer in again.layers], again.inputs, again.outputs)
inner = K.Input((4,))
outer = K.Model(inner, L.Dense(3)(model(inner)[1]))
show([layer.name for layer in outer.layers], len(outer.weights), model.get_output_at(1))
# --- shared layers and where they were called
L = tf.keras.layers
dense = L.Dense(2)
x, y = tf.keras.Input((3,)), tf.keras.Input((3,))
a, b = dense(x), dense(y)
show(dense.get_input_at(1), dense.get_output_at(1), dense.input_shape, dense.output_shape, len(dense.weights))
model = tf.keras.Model([x, y], L.Concatenate()([a, b]))
show(model([tf.ones([1, 3]), tf.ones([1, 3])]).shape, [l.name for l in model.layers])
# --- a sequential model
K, L = tf.keras, tf.keras.layers
model = K.Sequential([L.Dense(2, input_shape=(3,)), L.BatchNormalization(), L.Dropout(0.5)])
show(model.inputs, model.outputs, [v.name for v in model.weights], model.layers[0].input_shape)
config = model.get_config()
show([[l["class_name"], l["config"]["name"]] for l in config["layers"]], sorted(config["layers"][0]["config"]))
lines = []
model.summary(print_fn=lines.append)
show(lines, [l.name for l in K.Sequential.from_config(config).layers])
# --- masks
L = tf.keras.layers
x = tf.keras.Input((4,))
e = L.Embedding(5, 3, mask_zero=True)(x)
show(e.shape, e._keras_mask, L.LSTM(2)(e), L.LSTM(2, return_sequences=True)(e)._keras_mask)
show(L.Masking()(tf.keras.Input((3, 4)))._keras_mask)
# --- a layer that knows no masks
L = tf.keras.layers
L.Flatten()(L.Masking(name="m")(tf.keras.Input((3, 4))))
# --- masked steps are passed over
L = tf.keras.layers
x = np.array([[[1.0, 2.0], [0.0, 0.0], [3.0, 1.0]], [[1.0, 1.0], [2.0, 0.5], [0.0, 0.0]]], np.float32)
tf.set_random_seed(1)
one = tf.constant_initializer(0.3)
inputs = tf.keras.Input((3, 2))
lstm = L.LSTM(2, return_sequences=True, kernel_initializer=one, recurrent_initializer=one)
gru = L.GRU(2, kernel_initializer=one, recurrent_initializer=one)
both = L.Bidirectional(L.SimpleRNN(1, kernel_initializer=one, recurrent_initializer=one))
masked = L.Masking()(inputs)
found = [lstm(masked), gru(masked), both(masked)]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run(found, {inputs: x}))
# --- states that are kept
L = tf.keras.layers
one = tf.constant_initializer(0.3)
x = tf.placeholder(tf.float32, [2, 3, 2])
layer = L.GRU(2, stateful=True, kernel_initializer=one, recurrent_initializer=one)
y = layer(x)
value = np.ones([2, 3, 2], np.float32)
with tf.Session() as sess:
    tf.keras.backend.set_session(sess)
    sess.run(tf.global_variables_initializer())
    show(sess.run([y, layer.updates], {x: value})[0], sess.run(y, {x: value}))
    layer.reset_states()
    show(sess.run(y, {x: value}), len(layer.updates))
# --- what recurrent layers make
L = tf.keras.layers
x = tf.keras.Input((5, 3))
stack = L.RNN([L.LSTMCell(2), L.GRUCell(4)], return_state=True, return_sequences=True)
show([t.shape.as_list() for t in stack(x)], [v.name for v in stack.weights], stack.cell.state_size)
state = tf.keras.Input((2,))
y = L.LSTM(2)(x, initial_state=[state, state])
model = tf.keras.Model([x, state], y)
show(model.get_config()["layers"][-1]["inbound_nodes"], [l.name for l in model.layers])
# --- merging shapes that differ
tf.keras.layers.Add()([tf.keras.Input((3,)), tf.keras.Input((4,))])
# --- merging one input
tf.keras.layers.Add()([tf.keras.Input((3,))])
# --- concatenating shapes that differ
tf.keras.layers.Concatenate(axis=1)([tf.keras.Input((3, 4)), tf.keras.Input((2, 5))])
# --- a dot of sizes that differ
tf.keras.layers.Dot(1)([tf.keras.Input((3,)), tf.keras.Input((4,))])
# --- not connected
tf.keras.layers.Dense(2).input
# --- never called
tf.keras.layers.Dense(2).input_shape
# --- an output of no layer
x = tf.keras.Input((3,))
tf.keras.Model(x, x + 1)
# --- an input of no layer
x = tf.keras.Input((3,))
tf.keras.Model(tf.ones([2, 3]), tf.keras.layers.Dense(2)(x))
# --- a model that is not connected
x, y = tf.keras.Input((3,)), tf.keras.Input((3,))
tf.keras.Model(y, tf.keras.layers.Dense(2)(x))
# --- one name for two layers
L = tf.keras.layers
a = tf.keras.Input((3,))
tf.keras.Model(a, L.Dense(1, name="d")(L.Dense(2, name="d")(a)))
# --- neither shape nor tensor
tf.keras.Input()
# --- no summary before the first call
tf.keras.Sequential([tf.keras.layers.Dense(2)]).summary()
# --- the wrong rank
tf.keras.layers.Conv2D(2, 3)(tf.keras.Input((3,)))
# --- the wrong kernel size
tf.keras.layers.Conv2D(2, (3, 3, 3))
# --- a wrong padding
tf.keras.layers.ZeroPadding2D(((1, 1), (1,)))
# --- an activation that there is not
tf.keras.layers.Dense(2, activation="foo")
# --- an initializer that there is not
tf.keras.layers.Dense(2, kernel_initializer="foo")
# --- a constraint that there is not
tf.keras.layers.Dense(2, kernel_constraint=4)
# --- unrolling without a length
tf.keras.layers.LSTM(3, unroll=True)(tf.keras.Input((None, 2)))
# --- keeping states without a batch size
tf.keras.layers.LSTM(3, stateful=True)(tf.keras.Input((3, 2)))
# --- regularizers, constraints and initializers
K = tf.keras
w = tf.constant([[1.0, -2.0], [3.0, 0.5]])
found = [K.regularizers.l1_l2(0.1, 0.2)(w), K.constraints.MaxNorm(2)(w), K.constraints.NonNeg()(w)]
found += [K.constraints.UnitNorm(1)(w), K.constraints.MinMaxNorm(0.5, 1.5, 0.7)(w)]
with tf.Session() as sess:
    show(sess.run(found))
show(K.regularizers.serialize(K.regularizers.l2(0.5)), K.constraints.serialize(K.constraints.MaxNorm(3, 1)))
show(K.regularizers.get("l2").get_config(), K.constraints.get("unit_norm").get_config(), K.initializers.serialize(K.initializers.get("he_normal")))
# --- freezing
K, L = tf.keras, tf.keras.layers
model = K.Sequential([L.Dense(2, input_shape=(3,)), L.BatchNormalization()])
show(len(model.trainable_weights), len(model.non_trainable_weights), len(model.updates))
model.layers[1].trainable = False
show(len(model.trainable_weights), len(model.non_trainable_weights), len(model.updates))
model.trainable = False
show(len(model.trainable_weights), len(model.non_trainable_weights))
