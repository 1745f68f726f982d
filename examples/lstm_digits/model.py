"""Two convolutions and an LSTM as a Keras model."""

import twinflow as tf

layers = tf.keras.layers


class Reader(tf.keras.Model):
    """The channels of the last convolution are the steps of the LSTM."""

    def __init__(self, units, classes):
        super().__init__()
        self.image = layers.Reshape([28, 28, 1], name="input_reshape")
        self.conv1 = layers.Conv2D(32, 5, padding="SAME", name="conv1")
        self.pool1 = layers.MaxPool2D(padding="SAME", name="conv1/pool")
        self.conv2 = layers.Conv2D(64, 5, padding="SAME", name="conv2")
        self.pool2 = layers.MaxPool2D(padding="SAME", name="conv2/pool")
        self.steps = layers.Reshape([49, 64], name="conv_feat_reshape")
        self.lstm = layers.LSTM(units=units, use_bias=True)
        self.dense = layers.Dense(units=classes)

    def call(self, images):
        x = self.pool1(self.conv1(self.image(images)))
        x = self.pool2(self.conv2(x))
        x = tf.transpose(self.steps(x), perm=[0, 2, 1], name="conv_transpose")
        return self.dense(self.lstm(x))
