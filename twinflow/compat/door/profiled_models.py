"""tensorflow.python.profiler.internal.model_analyzer_testlib: models to profile."""

import contextlib

from twinflow.graph.variable_scope import get_variable, variable_scope
from twinflow.ops.core.creation import ones_like, zeros
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_mean
from twinflow.ops.core.shape import reshape
from twinflow.ops.nn.conv import conv2d
from twinflow.ops.nn.dropout import l2_loss
from twinflow.ops.random.initializers_plain import RandomNormal
from twinflow.profiler.analyzer import Profiler
from twinflow.rnn.cells.basic import BasicRNNCell
from twinflow.rnn.dynamic import dynamic_rnn
from twinflow.train.gradient_descent import GradientDescentOptimizer


def BuildSmallModel():
    """Two convolutions of an image of zeros; beside them a variable without a use."""
    image, small = zeros([2, 6, 6, 3]), RandomNormal(stddev=0.001)
    get_variable("ScalarW", [], initializer=small)
    kernel = get_variable("DW", [3, 3, 3, 6], initializer=small)
    x = conv2d(image, kernel, [1, 2, 2, 1], padding="SAME")
    kernel = get_variable("DW2", [2, 2, 6, 12], initializer=small)
    return conv2d(x, kernel, [1, 2, 2, 1], padding="SAME")


def BuildFullModel():
    """The step of an optimizer for a recurrent network over four of these."""
    steps = []
    for i in range(4):
        with variable_scope(f"inp_{i}"):
            steps.append(reshape(BuildSmallModel(), [2, 1, -1]))
    x = concat(steps, axis=1)
    out = dynamic_rnn(BasicRNNCell(16), x, dtype=x.dtype)[0]
    loss = l2_loss(reduce_mean(ones_like(out) - out))
    return GradientDescentOptimizer(1e-2).minimize(loss)


@contextlib.contextmanager
def ProfilerFromFile(profile_file):
    """The Profiler that was written into a file."""
    yield Profiler._from_file(profile_file)


def CheckAndRemoveDoc(profile):
    """A report without its explanations.

    Raises:
        ValueError: it has none.
    """
    doc, found, report = profile.partition("Profile:\n")
    if "Doc:" not in doc or not found:
        raise ValueError(f"A report has `Doc:` and `Profile:`, but got {profile!r}.")
    return report


def SearchTFProfNode(node, name):
    """The message of a name in a tree of them, or None."""
    if node.name == name:
        return node
    below = (SearchTFProfNode(child, name) for child in node.children)
    return next((found for found in below if found is not None), None)
