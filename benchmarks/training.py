"""The cases that train Keras models: one source for twinflow and for TensorFlow."""

import time
from dataclasses import dataclass

from benchmarks import problem
from benchmarks.case import Case

RATE, EPSILON = 1e-3, 1e-7
CHECKED = 128  # images of a fit whose loss is compared


@dataclass
class FitCase(Case):
    """A `fit`, timed a step: the fastest epoch after those of the warm-up.

    Args:
        model: the model. images, labels: an epoch. batch: the size of a batch.
    """

    model: object = None
    images: object = None
    labels: object = None
    batch: int = 64

    def seconds(self, repeats, least):
        """Seconds for a step: of the fastest of `repeats` epochs; see Case."""
        end = time.perf_counter() + self.warm_up
        epochs = self._epochs(1)
        while time.perf_counter() < end:
            epochs = self._epochs(1)
        epochs = self._epochs(max(repeats, round(least / min(epochs))) + 1)
        return min(epochs[1:]) / -(-len(self.images) // self.batch)

    def _epochs(self, count):
        """Seconds of each epoch of one `fit`."""
        clock = self.names["clock"]()
        self.model.fit(
            self.images, self.labels, batch_size=self.batch, epochs=count, verbose=0,
            shuffle=False, callbacks=[clock],
        )  # fmt: skip
        return clock.epochs


class TrainingCases:
    """The cases of one implementation of tf.keras.

    Args:
        tf: the module.
        optimizers: {name of a variant: makes an Adam from rate and epsilon}, with
            `apply_gradients`.
    """

    def __init__(self, tf, optimizers):
        self.tf, self.optimizers = tf, optimizers

    def cases(self):
        """{row: {variant: a function that makes its Case}}."""
        steps = {
            name: lambda make=make: self.digits_step(make)
            for name, make in self.optimizers.items()
        }
        return {"lstm_eager": steps, "keras_fit": {"fit": self.fit}}

    def digits_step(self, make):
        """A training step of the convolutions and the LSTM, op by op."""
        tf, (weights, images, labels) = self.tf, problem.lines()
        model, optimizer = self._digits(), make(RATE, EPSILON)
        x, y = tf.constant(images), tf.constant(labels)
        model(x)
        model.set_weights(weights)

        def step():
            with tf.GradientTape() as tape:
                losses = tf.nn.softmax_cross_entropy_with_logits(
                    labels=y, logits=model(x)
                )
                loss = tf.reduce_mean(losses)
            slopes = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(slopes, model.trainable_variables))
            return loss

        return Case("float(step())", {"step": step}, warm_up=1.0)

    def _digits(self):
        """The channels of the last convolution are the steps of the LSTM."""
        tf, layers = self.tf, self.tf.keras.layers

        class Digits(tf.keras.Model):
            def __init__(self):
                super().__init__()
                self.image = layers.Reshape([28, 28, 1])
                self.conv1 = layers.Conv2D(32, 5, padding="SAME")
                self.pool1 = layers.MaxPool2D(padding="SAME")
                self.conv2 = layers.Conv2D(64, 5, padding="SAME")
                self.pool2 = layers.MaxPool2D(padding="SAME")
                self.steps = layers.Reshape([49, 64])
                self.lstm = layers.LSTM(64, recurrent_activation="sigmoid")
                self.dense = layers.Dense(10)

            def call(self, images):
                x = self.pool1(self.conv1(self.image(images)))
                x = self.pool2(self.conv2(x))
                x = tf.transpose(self.steps(x), perm=[0, 2, 1])
                return self.dense(self.lstm(x))

        return Digits()

    def fit(self):
        """The small convolutional network, as `fit` trains it by default."""
        tf, layers = self.tf, self.tf.keras.layers
        weights, images, labels = problem.pictures()
        model = tf.keras.Sequential([
            layers.Conv2D(32, 3, activation="relu", input_shape=images.shape[1:]),
            layers.MaxPool2D(),
            layers.Conv2D(64, 3, activation="relu"),
            layers.MaxPool2D(),
            layers.Flatten(),
            layers.Dense(10, activation="softmax"),
        ])  # fmt: skip
        model.set_weights(weights)
        adam = tf.keras.optimizers.Adam(RATE, epsilon=EPSILON)
        model.compile(adam, "sparse_categorical_crossentropy")

        class Clock(tf.keras.callbacks.Callback):
            epochs: list

            def on_train_begin(self, logs=None):
                self.epochs = []

            def on_epoch_begin(self, epoch, logs=None):
                self.start = time.perf_counter()

            def on_epoch_end(self, epoch, logs=None):
                self.epochs.append(time.perf_counter() - self.start)

        def fit():
            x, y = images[:CHECKED], labels[:CHECKED]
            done = model.fit(x, y, batch_size=64, verbose=0, shuffle=False)
            return done.history["loss"]

        return FitCase("fit()", {"fit": fit, "clock": Clock}, warm_up=4.0, model=model,
                       images=images, labels=labels)  # fmt: skip
