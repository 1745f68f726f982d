"""How a row of layer_rows becomes a layer, its inputs and its weights.

No imports from twinflow: tests/keras/make_layers.py runs this file under the Python of
TensorFlow 1.12 too. `tf` is the module of either.
"""

import numpy as np

LAYER, CUSTOM = "layer", "custom"  # what a tuple in the settings of a row begins with
BATCH = 3


def numbers(shape, seed):
    """Numbers in [-1, 1] that look random and are the same everywhere."""
    n = int(np.prod(shape))
    waves = np.sin(np.arange(n) * 12.9898 + seed * 78.233) * 43758.5453
    parts = waves - np.floor(waves)
    return (2 * parts - 1).astype(np.float32).reshape(shape)


def inputs_of(row):
    """The arrays that a layer is called on."""
    _, _, _, shapes, facts = row
    if "ints" in facts:
        size = int(np.prod(shapes[0])) * BATCH
        values = np.arange(size) * 7 % facts["ints"]
        return [values.reshape((BATCH,) + shapes[0]).astype(np.int32)]
    return [numbers((BATCH,) + s, i + 1) for i, s in enumerate(shapes)]


def dims_of(row):
    """The shapes of the inputs, the batch being free unless the row fixes it."""
    batch = BATCH if "batch" in row[4] else None
    return [(batch,) + tuple(s) for s in row[3]]


def mask_of(row):
    """bool[batch, time]: the first sample is whole, one begins and one ends early."""
    steps = row[3][0][0]
    mask = np.ones((BATCH, steps), bool)
    mask[1, -1], mask[2, 0], mask[2, 1] = False, False, steps < 3
    return mask


def weights_of(shapes, names):
    """Values for weights of these shapes; variances are positive."""
    found = []
    for i, (shape, name) in enumerate(zip(shapes, names)):
        value = numbers(shape, 10 + i)
        found.append(np.abs(value) + 0.5 if "variance" in name else value)
    return found


def made(tf, cls, settings):
    """A layer with these settings: of tf.keras.layers, of tf.layers ("layers.Dense"),
    or of `custom`.
    """

    def value(x):
        if isinstance(x, tuple) and x[:1] == (LAYER,):
            return made(tf, x[1], x[2])
        if isinstance(x, tuple) and x[:1] == (CUSTOM,):
            return custom(tf)[x[1]]
        return [value(v) for v in x] if isinstance(x, list) else x

    if cls.startswith("layers."):
        found = getattr(tf.layers, cls[len("layers.") :])
    else:
        found = custom(tf).get(cls) or getattr(tf.keras.layers, cls)
    return found(**{k: value(v) for k, v in settings.items()})


def called(tf, layer, row, xs):
    """Call a layer on the inputs of a row; a list of outputs."""
    facts = row[4]
    options = {k: facts[k] for k in ("training",) if k in facts}
    if "mask" in facts:
        options["mask"] = tf.constant(mask_of(row))
    for name in ("constants", "initial_state"):  # the last inputs
        if name in facts:
            xs, options[name] = xs[: -facts[name]], xs[-facts[name] :]
    ys = layer(xs[0] if len(xs) == 1 else xs, **options)
    return ys if isinstance(ys, list) else [ys]


def own_inputs(row):
    """How many of the inputs are neither states nor constants."""
    return len(row[3]) - sum(row[4].get(k, 0) for k in ("constants", "initial_state"))


def fed(tf, row, ends=False):
    """Placeholders for the inputs; Inputs where `ends`, or the row needs them."""
    pairs = list(zip(dims_of(row), (a.dtype.name for a in inputs_of(row))))
    if ends or "ends" in row[4]:
        return [tf.keras.Input(batch_shape=s, dtype=d) for s, d in pairs]
    return [tf.placeholder(d, s) for s, d in pairs]


def trains(row):
    """Whether a model made of the layer can be trained in TensorFlow 1.12 too."""
    return not {"mask", "cudnn", "untrained"} & set(row[4])


def targets_of(shapes):
    """(What the outputs of a model are to become, the weights of the samples).

    Without weights TensorFlow's graphs sum the losses of samples of more than one axis.
    """
    targets = [numbers(s, 30 + i) for i, s in enumerate(shapes)]
    return targets, [np.ones(s[:1], np.float32) for s in shapes]


def total_of(tf, ys):
    """A number of which slopes are taken."""
    return tf.add_n([tf.reduce_sum(y * y + y) for y in ys])


def plain_of_cudnn(tf, layer, cls):
    """A layer without NVIDIA's library that computes with the weights of `layer`.

    The library reads each gate's kernel, [size, units], as if it were [units, size]
    transposed; it has a bias for the inputs and one for the states.
    """
    gates = 4 if cls == "CuDNNLSTM" else 3
    options = dict(
        return_sequences=layer.return_sequences, go_backwards=layer.go_backwards,
        return_state=layer.return_state, recurrent_activation="sigmoid",
    )  # fmt: skip
    if gates == 3:
        plain = tf.keras.layers.GRU(layer.units, reset_after=True, **options)
    else:
        plain = tf.keras.layers.LSTM(layer.units, **options)

    def turned(kernel):
        size = int(kernel.shape[0])
        parts = tf.split(kernel, gates, 1)
        parts = [tf.transpose(tf.reshape(k, (layer.units, size))) for k in parts]
        return tf.concat(parts, 1)

    plain.build((None, None, int(layer.kernel.shape[0])))
    plain.cell.kernel = turned(layer.kernel)
    plain.cell.recurrent_kernel = turned(layer.recurrent_kernel)
    bias = tf.reshape(layer.bias, (2, -1))
    plain.cell.bias = tf.reduce_sum(bias, 0) if gates == 4 else bias
    if gates == 3:
        plain.cell.input_bias, plain.cell.recurrent_bias = tf.unstack(bias)
    return plain


# ------------------------------------------------------------------ of a program
def custom(tf):
    """Cells, layers and functions as programs write them, by their names."""

    class MinimalCell(tf.keras.layers.Layer):
        """tanh(x @ kernel + h @ recurrent_kernel)."""

        def __init__(self, units, **kwargs):
            self.units = self.state_size = units
            super().__init__(**kwargs)

        def build(self, input_shape):
            size = int(input_shape[-1])
            self.kernel = self.add_weight("kernel", (size, self.units))
            self.recurrent = self.add_weight("recurrent", (self.units, self.units))
            self.built = True

        def call(self, inputs, states):
            y = tf.tanh(
                tf.matmul(inputs, self.kernel) + tf.matmul(states[0], self.recurrent)
            )
            return y, [y]

        def get_config(self):
            found = super().get_config()
            return dict(found, units=self.units)

    class ConstantCell(MinimalCell):
        """MinimalCell that adds a constant, by weights of its own."""

        def build(self, input_shape):
            size = int(input_shape[1][-1])
            self.more = self.add_weight("more", (size, self.units))
            super().build(input_shape[0])

        def call(self, inputs, states, constants):
            y, _ = super().call(inputs, states)
            y = y + tf.matmul(constants[0], self.more)
            return y, [y]

    class FirstStates(MinimalCell):
        """MinimalCell that begins with ones."""

        def get_initial_state(self, inputs=None, batch_size=None, dtype=None):
            return tf.ones((BATCH, self.units))

    def doubled(x):
        return 2.0 * x + 1.0

    found = (MinimalCell, ConstantCell, FirstStates, doubled)
    return {c.__name__: c for c in found}
