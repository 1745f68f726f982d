"""The blocks of RevNet: the inner functions, the first, the shrinking and the last."""

import twinflow as tf

layers = tf.keras.layers


def order(axis):
    """The `data_format` of layers for channels on this axis."""
    return "channels_first" if axis == 1 else "channels_last"


class Inner(tf.keras.Model):
    """f or g: normalize, relu, convolve; two times 3x3, or 1x1, 3x3, 1x1.

    Args:
        filters: the channels that come out. stride: of the first 3x3 convolution.
        bottleneck: the form of three convolutions, with a quarter of the channels.
        normalize_first: False = the input has been normalized already.
        axis: that of the channels. dtype: of the numbers.
    """

    def __init__(
        self, filters, stride=1, bottleneck=False, normalize_first=True, axis=3,
        dtype="float32",
    ):  # fmt: skip
        super().__init__()
        thin = filters // 4
        shapes = [(filters, 3, stride), (filters, 3, 1)]
        if bottleneck:
            shapes = [(thin, 1, 1), (thin, 3, stride), (filters, 1, 1)]
        self.convolutions = [
            layers.Conv2D(
                n, kernel, step, "same", order(axis), use_bias=False, dtype=dtype
            )
            for n, kernel, step in shapes
        ]
        skip = 0 if normalize_first else 1
        self.skip = skip
        self.norms = [
            layers.BatchNormalization(axis, dtype=dtype) for _ in shapes[skip:]
        ]

    def call(self, x, training=True):
        for i, convolution in enumerate(self.convolutions):
            if i >= self.skip:
                x = tf.nn.relu(self.norms[i - self.skip](x, training=training))
            x = convolution(x)
        return x


class Shrinking(tf.keras.Model):
    """y1 = small(x1) + f(x2), y2 = small(x2) + g(y1): cannot be reversed.

    `small` takes means of squares of pixels, and adds channels of zeros.
    """

    def __init__(self, filters, stride, bottleneck, normalize_first, axis, dtype):
        super().__init__()
        self.filters, self.stride, self.axis = filters // 2, stride, axis
        self.f = Inner(filters // 2, stride, bottleneck, normalize_first, axis, dtype)
        self.g = Inner(filters // 2, 1, bottleneck, True, axis, dtype)
        self.pool = layers.AveragePooling2D(stride, stride, "valid", order(axis))

    def small(self, x):
        x = self.pool(x) if self.stride > 1 else x
        missing = self.filters - int(x.shape[self.axis])
        ends = [[0, 0]] * 4
        ends[self.axis] = [missing // 2, missing - missing // 2]
        return tf.pad(x, ends)

    def call(self, x, training=True):
        x1, x2 = tf.split(x, num_or_size_splits=2, axis=self.axis)
        y1 = self.small(x1) + self.f(x2, training=training)
        y2 = self.small(x2) + self.g(y1, training=training)
        return tf.concat([y1, y2], axis=self.axis)


class First(tf.keras.Model):
    """The convolution of the image, with normalization, relu, and pooling if wanted."""

    def __init__(self, config):
        super().__init__()
        axis, dtype = config.axis, config.dtype
        self.convolution = layers.Conv2D(
            config.first_filters, config.first_kernel, config.first_stride, "same",
            order(axis), use_bias=False, dtype=dtype,
        )  # fmt: skip
        self.norm = layers.BatchNormalization(axis, dtype=dtype)
        self.pool = None
        if config.first_pool:
            self.pool = layers.MaxPool2D(3, 2, "same", order(axis))

    def call(self, x, training=True):
        x = tf.nn.relu(self.norm(self.convolution(x), training=training))
        return x if self.pool is None else self.pool(x)


class Last(tf.keras.Model):
    """Normalization, relu, the mean of each channel, and one logit per class."""

    def __init__(self, config):
        super().__init__()
        self.norm = layers.BatchNormalization(config.axis, dtype=config.dtype)
        self.mean = layers.GlobalAveragePooling2D(order(config.axis))
        self.dense = layers.Dense(config.classes, dtype=config.dtype)

    def call(self, x, training=True):
        x = tf.nn.relu(self.norm(x, training=training))
        return self.dense(self.mean(x))


def residual(filters, bottleneck=False, axis=3, dtype="float32"):
    """A reversible block of `filters` channels; each half has a function of its own."""
    f, g = (Inner(filters // 2, 1, bottleneck, True, axis, dtype) for _ in range(2))
    return tf.contrib.reversible.ReversibleBlock(f, g, axis)


def stage(config, i):
    """A block that may shrink, and reversible ones: see ReversibleSequence."""
    filters, stride = config.filters[i], config.strides[i]
    rest = (config.bottleneck, config.axis, config.dtype)
    first = Shrinking(filters, stride, config.bottleneck, i > 0, *rest[1:])
    blocks = [residual(filters, *rest) for _ in range(config.blocks[i] - 1)]
    return tf.contrib.reversible.ReversibleSequence(
        [first, *blocks], config.axis, config.reversible
    )
