"""One step of training: done at once in eager mode, built in graph mode."""

import twinflow as tf


def train(model, optimizer, inputs, labels):
    """A batch of gradient descent.

    Args:
        model: a tf.keras.Model. optimizer: a tf.train.Optimizer.
        inputs, labels: tensors.
    Returns:
        (the loss, the op that trains)
    """
    with tf.GradientTape() as tape:
        logits = model(inputs)
        loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    gradients = tape.gradient(loss, model.variables)
    train_op = optimizer.apply_gradients(zip(gradients, model.variables))
    return loss, train_op
