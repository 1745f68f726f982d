# --- several outputs, weights, metrics, validation | TensorFlow 1.12 loses the weights where an output has none
K, L = tf.keras, tf.keras.layers
rng = np.random.RandomState(2)
x, y, z = rng.rand(12, 3).astype("f"), rng.rand(12, 1).astype("f"), rng.randint(0, 3, (12, 1))
i = K.Input((3,), name="in")
one, two = L.Dense(1, name="one", kernel_initializer="ones")(i), L.Dense(3, name="two", activation="softmax", kernel_initializer="ones", kernel_regularizer=K.regularizers.l2(0.01))(i)
model = K.Model(i, [one, two])
model.compile(tf.train.GradientDescentOptimizer(0.01), {"one": "mse", "two": "sparse_categorical_crossentropy"}, metrics={"one": ["mae"], "two": ["acc", "ce"]}, loss_weights={"one": 2.0}, weighted_metrics={"one": ["mse"]})
show(model.metrics_names)
w = rng.rand(12)
h = model.fit({"in": x}, {"one": y, "two": z}, batch_size=5, epochs=2, shuffle=False, verbose=0, sample_weight={"one": w}, validation_data=(x, [y, z]))
show([(k, np.float32(v)) for k, v in sorted(h.history.items())])
show(np.float32(model.evaluate(x, [y, z], verbose=0)), np.float32(model.evaluate(x, [y, z], verbose=0, sample_weight=[w, w])))
show(model.predict(x, batch_size=5), model.predict_on_batch(x[:2]))
show(model.test_on_batch(x, [y, z]), model.train_on_batch(x, [y, z], class_weight={"two": {0: 1.0, 1: 2.0, 2: 0.5}}), model.train_on_batch(x, [y, z]))
show(model.input_names, model.output_names)
# --- training and testing phases
K, L = tf.keras, tf.keras.layers
rng = np.random.RandomState(3)
x, y = rng.rand(8, 3).astype("f"), rng.rand(8, 2).astype("f")
model = K.Sequential([L.Dense(2, kernel_initializer="ones", input_shape=(3,)), L.BatchNormalization(momentum=0.5)])
model.compile(tf.train.GradientDescentOptimizer(0.01), "mse")
h = model.fit(x, y, batch_size=4, epochs=2, shuffle=False, verbose=0)
show(np.float32(h.history["loss"]), model.get_weights(), model.predict(x), np.float32(model.evaluate(x, y, verbose=0)))
# --- masks and time steps | TensorFlow 1.12 fails
K, L = tf.keras, tf.keras.layers
x = np.array([[1, 2, 0], [3, 0, 0]], "f")
y = np.random.RandomState(0).rand(2, 3, 2).astype("f")
model = K.Sequential([L.Embedding(5, 4, mask_zero=True, input_length=3, embeddings_initializer="ones"), L.LSTM(3, return_sequences=True, kernel_initializer="ones", recurrent_initializer="zeros"), L.Dense(2, kernel_initializer="ones")])
model.compile(tf.train.GradientDescentOptimizer(0.01), "mse", sample_weight_mode="temporal", metrics=["mae"])
h = model.fit(x, y, epochs=2, verbose=0, sample_weight=np.array([[1, 2, 3], [1, 1, 1]], "f"))
show(np.float32(h.history["loss"]), np.float32(h.history["mean_absolute_error"]), model.predict(x), np.float32(model.evaluate(x, y, verbose=0)))
# --- a dataset
K, L = tf.keras, tf.keras.layers
x, y = np.arange(12, dtype="f").reshape(6, 2) / 10, np.arange(6, dtype="f").reshape(6, 1) / 10
model = K.Sequential([L.Dense(1, kernel_initializer="ones", input_shape=(2,))])
model.compile(tf.train.GradientDescentOptimizer(0.01), "mse", metrics=["mae"])
d = tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(3)
h = model.fit(d, epochs=2, steps_per_epoch=2, verbose=0, validation_data=d, validation_steps=2)
show([(k, np.float32(v)) for k, v in sorted(h.history.items())], np.float32(model.evaluate(d, steps=2, verbose=0)), model.predict(d, steps=2))
h = model.fit(d.make_one_shot_iterator(), epochs=1, steps_per_epoch=2, verbose=0)
show(np.float32(h.history["loss"]), model.train_on_batch(d.make_one_shot_iterator()))
model.fit(d, epochs=1, verbose=0)
# --- a model written as a class
K, L = tf.keras, tf.keras.layers
class Net(K.Model):
    def __init__(self):
        super(Net, self).__init__()
        self.a, self.b = L.Dense(3, kernel_initializer="ones"), L.Dense(1, kernel_initializer="ones")
    def call(self, x, training=False):
        return self.b(self.a(x))
x, y = np.arange(12, dtype="f").reshape(6, 2) / 10, np.arange(6, dtype="f") / 10
net = Net()
net.compile(tf.train.GradientDescentOptimizer(0.01), "mse", metrics=["mae"])
h = net.fit(x, y, batch_size=2, epochs=2, shuffle=False, verbose=0)
show(np.float32(h.history["loss"]), net.predict(x), np.float32(net.evaluate(x, y, verbose=0)), net.output_names, net.metrics_names)
# --- a generator and a sequence
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
model.compile(tf.train.GradientDescentOptimizer(0.01), "mse")
h = model.fit_generator(Rows(), epochs=2, verbose=0, shuffle=False)
show(np.float32(h.history["loss"]), np.float32(model.evaluate_generator(Rows())), model.predict_generator(Rows()))
h = model.fit_generator(rows(), steps_per_epoch=3, epochs=1, verbose=0, validation_data=(x, y))
show(np.float32(h.history["loss"]), np.float32(model.evaluate(Rows(), verbose=0)), model.predict(rows(), steps=2))
model.fit_generator(rows(), verbose=0)
# --- it is not compiled
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
show(model.predict(np.zeros((1, 2))).shape)
model.fit(np.zeros((2, 2)), np.zeros((2, 1)), verbose=0)
# --- a wrong shape of inputs | it is found before the step runs
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile(tf.train.GradientDescentOptimizer(0.01), "mse")
model.fit(np.zeros((2, 3)), np.zeros((2, 1)), verbose=0)
# --- too many axes
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile(tf.train.GradientDescentOptimizer(0.01), "mse")
model.predict(np.zeros((2, 3, 2)))
# --- a wrong shape of targets | it is found before the step runs
model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(2,), name="d")])
model.compile(tf.train.GradientDescentOptimizer(0.01), "mse")
model.fit(np.zeros((2, 2)), np.zeros((2, 2)), verbose=0)
# --- unequal lengths
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile(tf.train.GradientDescentOptimizer(0.01), "mse")
model.fit(np.zeros((2, 2)), np.zeros((3, 1)), verbose=0)
# --- numbers of classes for categorical_crossentropy
model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(2,), name="d")])
model.compile(tf.train.GradientDescentOptimizer(0.01), "categorical_crossentropy")
model.fit(np.zeros((2, 2)), np.zeros((2, 1)), verbose=0)
# --- classes without a weight
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile(tf.train.GradientDescentOptimizer(0.01), "mse")
model.fit(np.zeros((2, 2)), np.ones((2, 1)), class_weight={0: 1.0}, verbose=0)
# --- a list of losses that is too long
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile(tf.train.GradientDescentOptimizer(0.01), ["mse", "mae"])
# --- a loss for no output
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile(tf.train.GradientDescentOptimizer(0.01), {"e": "mse"})
# --- too many inputs
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile(tf.train.GradientDescentOptimizer(0.01), "mse")
model.fit([np.zeros((2, 2)), np.zeros((2, 2))], np.ones((2, 1)), verbose=0)
# --- an unknown argument
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile(tf.train.GradientDescentOptimizer(0.01), "mse")
model.fit(np.zeros((2, 2)), np.ones((2, 1)), epoch=2, verbose=0)
# --- weights of the wrong shape
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,), name="d")])
model.compile(tf.train.GradientDescentOptimizer(0.01), "mse")
model.fit(np.zeros((2, 2)), np.ones((2, 1)), sample_weight=np.ones((2, 1)), verbose=0)
# --- what is printed
import re, sys, io
K, L = tf.keras, tf.keras.layers
x, y = np.arange(12, dtype="f").reshape(6, 2) / 10, np.arange(6, dtype="f").reshape(6, 1) / 10
model = K.Sequential([L.Dense(1, kernel_initializer="ones", input_shape=(2,))])
model.compile(tf.train.GradientDescentOptimizer(0.01), "mse", metrics=["mae"])
out, sys.stdout = sys.stdout, io.StringIO()
try:
    model.fit(x, y, batch_size=6, epochs=2, verbose=1, shuffle=False)
    model.fit(x, y, batch_size=2, epochs=2, verbose=2, shuffle=False, validation_data=(x, y))
    model.evaluate(x, y)
    text = sys.stdout.getvalue()
finally:
    sys.stdout = out
show(re.sub(r"\d+(s|ms|us)", "T", text))
