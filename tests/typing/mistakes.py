"""Mistakes as users make them: type checkers find each marked one, and nothing else.

A mark like `# wrong: why` stands behind what both mypy and pyright report.
"""

import twinflow as tf

tfe = tf.contrib.eager


def tensors() -> None:
    x = tf.constant([1.0, 2.0])
    tf.reduce_sun(x)  # wrong: no such function
    tf.nn.rellu(x)  # wrong: no such function
    tf.reduce_sum(x).nope  # wrong: a tensor has no such attribute
    tf.matmul(x, x).nunpy()  # wrong: a tensor has no such method
    tf.matmul(x)  # wrong: an argument is missing
    tf.matmul(x, x, transpose_c=True)  # wrong: no such argument
    tf.reduce_sum(x, axes=0)  # wrong: no such argument
    tf.zeros("2, 3")  # wrong: a str is no shape
    tf.zeros([2, "3"])  # wrong: a str is no size
    tf.ones()  # wrong: an argument is missing
    tf.reshape(x)  # wrong: an argument is missing
    tf.nn.softmax(x, axes=1)  # wrong: no such argument
    tf.exp()  # wrong: an argument is missing
    tf.add(x, None)  # wrong: None is no value
    tf.sqrt(x, name=3)  # wrong: a name is a str
    x.shape.as_lists()  # wrong: a shape has no such method
    x.shapes  # wrong: a tensor has no such attribute
    x.dtype.is_float  # wrong: a dtype has no such attribute
    x.asign(1.0)  # wrong: a tensor has no such method
    tf.float23  # wrong: no such dtype
    (x + 1).nope()  # wrong: the sum is a tensor
    total: int = tf.reduce_sum(x)  # wrong: a tensor is no int
    print(total)


def variables() -> None:
    v = tfe.Variable(1.0, nam="v")  # wrong: no such argument
    v.asign(2.0)  # wrong: a variable has no such method
    tf.get_variable()  # wrong: an argument is missing
    with tf.GradientTape(persistant=True) as tape:  # wrong: no such argument
        tape.wach(v)  # wrong: a tape has no such method
    tape.gradient(v)  # wrong: an argument is missing


def pipelines() -> None:
    data = tf.data.Dataset.range(3)
    data.bach(2)  # wrong: a dataset has no such method
    data.batch()  # wrong: an argument is missing
    data.map(lambda n: n).shufle(3)  # wrong: the result of map is a dataset
    data.shuffle(3, sed=1)  # wrong: no such argument
    tf.data.DataSet.range(3)  # wrong: no such class
    data.map(3)  # wrong: an int is no function


def training() -> None:
    optimizer = tf.train.AdamOptimizer(learn_rate=0.1)  # wrong: no such argument
    optimizer.minimise(tf.constant(1.0))  # wrong: no such method
    tf.train.GradientDescentOptimizer()  # wrong: an argument is missing
    tf.train.Saver().safe(None, "a")  # wrong: no such method
    tf.train.exponential_decay(0.1, 1, 2)  # wrong: an argument is missing
    tf.Session().runs([])  # wrong: a session has no such method
    tf.placeholder()  # wrong: an argument is missing
    tf.losses.mean_squared_eror(1.0, 2.0)  # wrong: no such function
    tf.metrics.accuracy([1], [2]).numpy()  # wrong: two values, not one


class Halves(tf.keras.Model):
    def call(self, x: tf.Tensor) -> tuple[tf.Tensor, tf.Tensor]:
        return x / 2, x / 2


def keras() -> None:
    model = tf.keras.Sequential()
    Halves()([1.0]).nope()  # wrong: two tensors have no such method
    _one, _two, _three = Halves()([1.0])  # wrong: two values, not three
    model([1.0]).nope()  # wrong: a tensor has no such method
    model.ad(tf.keras.layers.Dense(3))  # wrong: a model has no such method
    model.compile(optimiser="adam", loss="mse")  # wrong: no such argument
    model.predict(batchsize=3)  # wrong: no such argument
    tf.keras.layers.Dense()  # wrong: an argument is missing
    tf.keras.layers.Dense(3, activations="relu").nope  # wrong: no such attribute
    tf.keras.layers.Densse(3)  # wrong: no such layer
    tf.keras.layers.Dropout(rat=0.5)  # wrong: no such argument
    tf.keras.optimizers.Adam(0.1, 0.9).nope()  # wrong: no such method
    tf.keras.Model().sumary()  # wrong: a model has no such method
