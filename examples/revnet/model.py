"""RevNet: a residual network whose backward pass computes its activations again."""

import blocks

import twinflow as tf

kept_statistics = tf.contrib.reversible.kept_statistics


class RevNet(tf.keras.Model):
    """First block, stages of reversible blocks, last block.

    The call returns (logits, hidden): the image and what each part gives are all that
    `compute_gradients` needs.

    Args:
        config: see config.py.
    Reference: Gomez, Ren, Urtasun and Grosse, The reversible residual network:
        backpropagation without storing activations (NIPS 2017).
    """

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.first = blocks.First(config)
        self.stages = [blocks.stage(config, i) for i in range(len(config.blocks))]
        self.last = blocks.Last(config)

    def call(self, images, training=True):
        hidden = [images, self.first(images, training=training)]
        for stage in self.stages:
            hidden.append(stage(hidden[-1], training=training))
        return self.last(hidden[-1], training=training), hidden

    def loss(self, logits, labels):
        return tf.losses.sparse_softmax_cross_entropy(labels, logits)

    def compute_gradients(self, hidden, labels, training=True):
        """(gradients of `trainable_variables`, loss), from the end to the start.

        Args:
            hidden: what the call returned; the list is emptied, so that each tensor
                can go as soon as it is not needed.
            labels: int64[batch]. training: as in the call.
        """
        with tf.GradientTape() as tape, kept_statistics(self.last):
            tape.watch(hidden[-1])
            loss = self.loss(self.last(hidden[-1], training=training), labels)
        last = self.last.trainable_variables
        dy, *grads = tape.gradient(loss, [hidden[-1], *last])
        dy = [dy]  # a list to take it from: a name would hold it
        for stage in reversed(self.stages):
            x = hidden[-2]
            dx, more = stage.backward_grads(x, hidden.pop(), dy.pop(), training)
            dy, grads = [dx], more + grads
            del dx, x
        with tf.GradientTape() as tape, kept_statistics(self.first):
            y = self.first(hidden[0], training=training)
        first = self.first.trainable_variables
        grads = tape.gradient(y, first, output_gradients=dy) + grads
        return self._with_decay(grads), loss

    def taped_gradients(self, images, labels, training=True):
        """The same by one tape over all, which keeps what the stages leave to it."""
        with tf.GradientTape() as tape:
            logits, _ = self(images, training=training)
            loss = self.loss(logits, labels)
        return self._with_decay(tape.gradient(loss, self.trainable_variables)), loss

    def _with_decay(self, grads):
        """The gradients with those of weight_decay * |variables|^2 / 2."""
        rate = self.config.weight_decay
        return [g + rate * v for g, v in zip(grads, self.trainable_variables)]
