# --- every optimizer, three epochs
tf.keras.backend.set_session(tf.Session())
K, L = tf.keras, tf.keras.layers
rng = np.random.RandomState(0)
x, y = rng.rand(20, 3).astype("f"), rng.rand(20, 2).astype("f")
start = [rng.randn(3, 4), rng.randn(4), rng.randn(4, 2), rng.randn(2)]
O = K.optimizers
made = [O.SGD(0.05, momentum=0.9, nesterov=True, decay=0.1), O.SGD(0.1, momentum=0.5), "rmsprop", "adagrad", "adadelta", O.Adam(0.01, decay=0.1), O.Adam(0.01, amsgrad=True), "adamax", O.Nadam(0.01, clipnorm=0.1), O.RMSprop(0.01, clipvalue=0.01), tf.train.MomentumOptimizer(0.1, 0.9)]
for o in made:
    model = K.Sequential([L.Dense(4, activation="tanh", input_shape=(3,)), L.Dense(2)])
    model.compile(o, "mse", metrics=["mae"])
    model.set_weights(start)
    h = model.fit(x, y, batch_size=8, epochs=3, shuffle=False, verbose=0)
    show(np.float32(h.history["loss"]), np.float32(h.history["mean_absolute_error"]), model.get_weights()[3])
# --- configs of optimizers
tf.keras.backend.set_session(tf.Session())
O = tf.keras.optimizers
for name in ["SGD", "RMSprop", "Adagrad", "Adadelta", "Adam", "Adamax", "Nadam"]:
    show(sorted(O.get(name).get_config().items()))
show(O.serialize(O.SGD(0.5))["class_name"], O.deserialize({"class_name": "sgd", "config": {"lr": 2.0}}).get_config()["lr"])
O.get(3)
# --- every loss
tf.keras.backend.set_session(tf.Session())
K = tf.keras
rng = np.random.RandomState(1)
a, b = rng.rand(4, 3).astype("f"), rng.rand(4, 3).astype("f")
sess = K.backend.get_session()
for name in ["mse", "mae", "mape", "msle", "squared_hinge", "hinge", "categorical_hinge", "logcosh", "categorical_crossentropy", "binary_crossentropy", "kld", "poisson", "cosine_proximity"]:
    show(sess.run(K.losses.get(name)(tf.constant(a), tf.constant(b))))
show(sess.run(K.losses.sparse_categorical_crossentropy(tf.constant([[0.0], [2.0], [1.0], [0.0]]), tf.constant(b))))
show(K.losses.serialize(K.losses.mse), K.losses.get(None))
K.losses.get("no such loss")
# --- every metric
tf.keras.backend.set_session(tf.Session())
K = tf.keras
rng = np.random.RandomState(1)
a, b = (rng.rand(4, 7) > 0.5).astype("f"), rng.rand(4, 7).astype("f")
sess = K.backend.get_session()
for name in ["binary_accuracy", "categorical_accuracy", "top_k_categorical_accuracy", "binary_crossentropy", "mae"]:
    show(sess.run(K.metrics.get(name)(tf.constant(a), tf.constant(b))))
for name in ["sparse_categorical_accuracy", "sparse_top_k_categorical_accuracy", "sparse_categorical_crossentropy"]:
    show(sess.run(K.metrics.get(name)(tf.constant([[0.0], [6.0], [1.0], [0.0]]), tf.constant(b))))
K.metrics.get("no such metric")
# --- several outputs, weights, metrics, validation
tf.keras.backend.set_session(tf.Session())
K, L = tf.keras, tf.keras.layers
rng = np.random.RandomState(2)
x, y, z = rng.rand(12, 3).astype("f"), rng.rand(12, 1).astype("f"), rng.randint(0, 3, (12, 1))
i = K.Input((3,), name="in")
one, two = L.Dense(1, name="one", kernel_initializer="ones")(i), L.Dense(3, name="two", activation="softmax", kernel_initializer="ones", kernel_regularizer=K.regularizers.l2(0.01))(i)
model = K.Model(i, [one, two])
model.compile("sgd", {"one": "mse", "two": "sparse_categorical_crossentropy"}, metrics={"one": ["mae"], "two": ["acc", "ce"]}, loss_weights={"one": 2.0}, weighted_metrics=["mse"])
show(model.metrics_names, [t.name for t in model.targets], [t.name for t in model.sample_weights], model.total_loss.shape)
w = rng.rand(12)
h = model.fit({"in": x}, {"one": y, "two": z}, batch_size=5, epochs=2, shuffle=False, verbose=0, sample_weight={"one": w}, validation_data=(x, [y, z]))
show([(k, np.float32(v)) for k, v in sorted(h.history.items())])
show(np.float32(model.evaluate(x, [y, z], verbose=0)), np.float32(model.evaluate(x, [y, z], verbose=0, sample_weight=[w, w])))
show(model.predict(x, batch_size=5), model.predict_on_batch(x[:2]))
show(model.test_on_batch(x, [y, z]), model.train_on_batch(x, [y, z], class_weight={"two": {0: 1.0, 1: 2.0, 2: 0.5}}), model.train_on_batch(x, [y, z]))
show([t.name for t in model.inputs], model.input_names, model.output_names)
# --- training and testing phases
tf.keras.backend.set_session(tf.Session())
K, L = tf.keras, tf.keras.layers
rng = np.random.RandomState(3)
x, y = rng.rand(8, 3).astype("f"), rng.rand(8, 2).astype("f")
model = K.Sequential([L.Dense(2, kernel_initializer="ones", input_shape=(3,)), L.BatchNormalization(momentum=0.5)])
model.compile("sgd", "mse")
h = model.fit(x, y, batch_size=4, epochs=2, shuffle=False, verbose=0)
show(np.float32(h.history["loss"]), model.get_weights(), model.predict(x), np.float32(model.evaluate(x, y, verbose=0)))
# --- masks and time steps
tf.keras.backend.set_session(tf.Session())
K, L = tf.keras, tf.keras.layers
x = np.array([[1, 2, 0], [3, 0, 0]], "f")
y = np.random.RandomState(0).rand(2, 3, 2).astype("f")
model = K.Sequential([L.Embedding(5, 4, mask_zero=True, input_length=3, embeddings_initializer="ones"), L.LSTM(3, return_sequences=True, kernel_initializer="ones", recurrent_initializer="zeros"), L.Dense(2, kernel_initializer="ones")])
model.compile("sgd", "mse", sample_weight_mode="temporal", metrics=["mae"])
h = model.fit(x, y, epochs=2, verbose=0, sample_weight=np.array([[1, 2, 3], [1, 1, 1]], "f"))
show(np.float32(h.history["loss"]), np.float32(h.history["mean_absolute_error"]), model.predict(x), np.float32(model.evaluate(x, y, verbose=0)))
# --- stateful layers
tf.keras.backend.set_session(tf.Session())
K, L = tf.keras, tf.keras.layers
x = np.random.RandomState(0).rand(4, 3, 2).astype("f")
model = K.Sequential([L.SimpleRNN(2, stateful=True, batch_input_shape=(2, 3, 2), kernel_initializer="ones", recurrent_initializer="ones")])
model.compile("sgd", "mse")
show(model.predict(x, batch_size=2), model.predict(x, batch_size=2))
model.reset_states()
show(model.predict(x, batch_size=2))
# --- a dataset
tf.keras.backend.set_session(tf.Session())
K, L = tf.keras, tf.keras.layers
x, y = np.arange(12, dtype="f").reshape(6, 2) / 10, np.arange(6, dtype="f").reshape(6, 1) / 10
model = K.Sequential([L.Dense(1, kernel_initializer="ones", input_shape=(2,))])
model.compile("sgd", "mse", metrics=["mae"])
d = tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(3)
h = model.fit(d, epochs=2, steps_per_epoch=2, verbose=0, validation_data=d, validation_steps=2)
show([(k, np.float32(v)) for k, v in sorted(h.history.items())], np.float32(model.evaluate(d, steps=2, verbose=0)), model.predict(d, steps=2))
h = model.fit(d.make_one_shot_iterator(), epochs=1, steps_per_epoch=2, verbose=0)
show(np.float32(h.history["loss"]), model.train_on_batch(d.make_one_shot_iterator()))
model.fit(d, epochs=1)
# --- a model written as a class
tf.keras.backend.set_session(tf.Session())
K, L = tf.keras, tf.keras.layers
class Net(K.Model):
    def __init__(self):
        super(Net, self).__init__()
        self.a, self.b = L.Dense(3, kernel_initializer="ones"), L.Dense(1, kernel_initializer="ones")
    def call(self, x, training=False):
        return self.b(self.a(x))
x, y = np.arange(12, dtype="f").reshape(6, 2) / 10, np.arange(6, dtype="f") / 10
net = Net()
net.compile("sgd", "mse", metrics=["mae"])
h = net.fit(x, y, batch_size=2, epochs=2, shuffle=False, verbose=0)
show(np.float32(h.history["loss"]), net.predict(x), np.float32(net.evaluate(x, y, verbose=0)), [t.name for t in net.inputs], net.output_names, net.metrics_names, [v.name for v in net.weights])
# --- a generator and a sequence
tf.keras.backend.set_session(tf.Session())
K, L = tf.keras, tf.keras.layers
x, y = np.arange(12, dtype="f").reshape(6, 2) / 10, np.arange(6, dtype="f").reshape(6, 1) / 10
class Rows(K.utils.Sequence):
    def __len__(self):
        return 3
    def __getitem__(self, i):
        return x[2 * i:2 * i + 2], y[2 * i:2 * i + 2]
def rows():
    while True:
        for i in range(3):
            yield x[2 * i:2 * i + 2], y[2 * i:2 * i + 2]
model = K.Sequential([L.Dense(1, kernel_initializer="ones", input_shape=(2,))])
model.compile("sgd", "mse")
h = model.fit_generator(Rows(), epochs=2, verbose=0, shuffle=False)
show(np.float32(h.history["loss"]), np.float32(model.evaluate_generator(Rows())), model.predict_generator(Rows()))
h = model.fit_generator(rows(), steps_per_epoch=3, epochs=1, verbose=0, validation_data=(x, y))
show(np.float32(h.history["loss"]), np.float32(model.evaluate(Rows(), verbose=0)), model.predict(rows(), steps=2))
model.fit_generator(rows())
# --- it is not compiled
tf.keras.backend.set_session(tf.Session())
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
show(model.predict(np.zeros((1, 2))).shape)
model.fit(np.zeros((2, 2)), np.zeros((2, 1)))
# --- a wrong shape of inputs
tf.keras.backend.set_session(tf.Session())
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile("sgd", "mse")
model.fit(np.zeros((2, 3)), np.zeros((2, 1)))
# --- too many axes
tf.keras.backend.set_session(tf.Session())
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile("sgd", "mse")
model.predict(np.zeros((2, 3, 2)))
# --- a wrong shape of targets
tf.keras.backend.set_session(tf.Session())
model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(2,), name="d")])
model.compile("sgd", "mse")
model.fit(np.zeros((2, 2)), np.zeros((2, 2)))
# --- unequal lengths
tf.keras.backend.set_session(tf.Session())
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile("sgd", "mse")
model.fit(np.zeros((2, 2)), np.zeros((3, 1)))
# --- numbers of classes for categorical_crossentropy
tf.keras.backend.set_session(tf.Session())
model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(2,), name="d")])
model.compile("sgd", "categorical_crossentropy")
model.fit(np.zeros((2, 2)), np.zeros((2, 1)))
# --- classes without a weight
tf.keras.backend.set_session(tf.Session())
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile("sgd", "mse")
model.fit(np.zeros((2, 2)), np.ones((2, 1)), class_weight={0: 1.0})
# --- a list of losses that is too long
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile("sgd", ["mse", "mae"])
# --- a loss for no output
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile("sgd", {"e": "mse"})
# --- too many inputs
tf.keras.backend.set_session(tf.Session())
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile("sgd", "mse")
model.fit([np.zeros((2, 2)), np.zeros((2, 2))], np.ones((2, 1)))
# --- an unknown argument
tf.keras.backend.set_session(tf.Session())
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile("sgd", "mse")
model.fit(np.zeros((2, 2)), np.ones((2, 1)), epoch=2)
# --- weights of the wrong shape
tf.keras.backend.set_session(tf.Session())
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile("sgd", "mse")
model.fit(np.zeros((2, 2)), np.ones((2, 1)), sample_weight=np.ones((2, 1)))
# --- callbacks
tf.keras.backend.set_session(tf.Session())
K, L = tf.keras, tf.keras.layers
x, y = np.arange(12, dtype="f").reshape(6, 2) / 10, np.arange(6, dtype="f").reshape(6, 1) / 10
seen = []
class Note(K.callbacks.Callback):
    def on_train_begin(self, logs=None):
        seen.append(sorted((k, v) for k, v in self.params.items() if k != "metrics") + self.params["metrics"])
    def on_epoch_begin(self, epoch, logs=None):
        seen.append(("epoch", epoch, sorted(logs)))
    def on_epoch_end(self, epoch, logs=None):
        seen.append(("end", epoch, sorted(logs)))
    def on_batch_begin(self, batch, logs=None):
        seen.append(("batch", batch, sorted(logs)))
    def on_batch_end(self, batch, logs=None):
        seen.append(("batch end", batch, sorted(logs), int(logs["size"])))
model = K.Sequential([L.Dense(1, kernel_initializer="ones", input_shape=(2,))])
model.compile("sgd", "mse", metrics=["mae"])
h = model.fit(x, y, batch_size=2, epochs=5, initial_epoch=2, verbose=0, shuffle=False, validation_split=0.4, callbacks=[Note(), K.callbacks.LearningRateScheduler(lambda e: 0.1 / (e + 1)), K.callbacks.ReduceLROnPlateau("loss", patience=1, factor=0.5), K.callbacks.EarlyStopping("loss", patience=1, min_delta=10.0)])
show([str(s) for s in seen], h.epoch, [(k, np.float32(v)) for k, v in sorted(h.history.items())])
# --- what is printed
tf.keras.backend.set_session(tf.Session())
import re, sys, io
K, L = tf.keras, tf.keras.layers
x, y = np.arange(12, dtype="f").reshape(6, 2) / 10, np.arange(6, dtype="f").reshape(6, 1) / 10
model = K.Sequential([L.Dense(1, kernel_initializer="ones", input_shape=(2,))])
model.compile("sgd", "mse", metrics=["mae"])
out, sys.stdout = sys.stdout, io.StringIO()
try:
    model.fit(x, y, batch_size=6, epochs=2, verbose=1, shuffle=False)
    model.fit(x, y, batch_size=2, epochs=2, verbose=2, shuffle=False, validation_data=(x, y))
    model.evaluate(x, y)
    text = sys.stdout.getvalue()
finally:
    sys.stdout = out
show(re.sub(r"\d+(s|ms|us)", "T", text))
