"""The two-layer network of the digits tutorial, in four functions."""

import math

from twinflow.base.dtypes import int32
from twinflow.graph.scopes import name_scope
from twinflow.losses.losses import sparse_softmax_cross_entropy
from twinflow.ops.arrays.topk import in_top_k
from twinflow.ops.core.constant import cast, to_int64
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.nn.activation import relu
from twinflow.ops.random.draws import truncated_normal
from twinflow.ops.variables.kinds import Variable
from twinflow.train.gradient_descent import GradientDescentOptimizer

NUM_CLASSES = 10
IMAGE_SIZE = 28
IMAGE_PIXELS = IMAGE_SIZE * IMAGE_SIZE


def inference(images, hidden1_units, hidden2_units):
    """The logits of images: two hidden layers of the sizes given.

    Args:
        images: float32[n, 784].
    Returns:
        float32[n, 10]
    """
    x = images
    sizes = [IMAGE_PIXELS, hidden1_units, hidden2_units, NUM_CLASSES]
    layers = zip(["hidden1", "hidden2", "softmax_linear"], sizes, sizes[1:])
    for name, inputs, outputs in layers:
        with name_scope(name):
            spread = 1.0 / math.sqrt(float(inputs))
            first = truncated_normal([inputs, outputs], stddev=spread)
            weights = Variable(first, name="weights")
            x = matmul(x, weights) + Variable(zeros([outputs]), name="biases")
            x = x if name == "softmax_linear" else relu(x)
    return x


def loss(logits, labels):
    """The mean cross entropy.

    Args:
        logits: float32[n, 10]. labels: int[n].
    """
    return sparse_softmax_cross_entropy(labels=to_int64(labels), logits=logits)


def training(loss, learning_rate):
    """The op of a step of gradient descent, which counts in `global_step`."""
    step = Variable(0, name="global_step", trainable=False)
    return GradientDescentOptimizer(learning_rate).minimize(loss, global_step=step)


def evaluation(logits, labels):
    """How many labels are the largest of their logits, as int32."""
    return reduce_sum(cast(in_top_k(logits, labels, 1), int32))
