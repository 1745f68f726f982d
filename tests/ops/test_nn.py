"""What the table of op cases cannot say of tf.nn: names, ties, TensorFlow's numbers."""

import numpy as np
import pytest

from twinflow.autodiff.tape import GradientTape
from twinflow.base import dispatch, dtypes, errors
from twinflow.base.op import registry
from twinflow.eager.mode import MODE
from twinflow.graph.graph import Graph
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import constant
from twinflow.ops.core.elementwise import multiply
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.nn import dropout as nn
from twinflow.ops.nn.im2col import conv
from twinflow.ops.nn.pool_windows import max_pool
from twinflow.ops.random.draws import random_uniform
from twinflow.ops.random.streams import set_random_seed

WINDOW = [1, 2, 2, 1]


@pytest.fixture(autouse=True)
def eager():
    """Eager execution without a seed."""
    with dispatch.entered(MODE):
        set_random_seed(None)
        yield
        set_random_seed(None)


def slope(f, *values):
    """f(values) and its gradients."""
    xs = [constant(v) for v in values]
    with GradientTape() as tape:
        tape.watch(xs)
        y = f(*xs)
    return y, tape.gradient(y, xs)


def close(found, wanted):
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=2e-5, atol=2e-6)


# ------------------------------------------------------- numbers of TensorFlow 1.12
@pytest.mark.parametrize(
    ("name", "values", "slopes"),
    [
        ("relu", [0, 0, 2, 7], [0, 0, 1, 1]),
        ("relu6", [0, 0, 2, 6], [0, 0, 1, 0]),
        ("elu", [-0.77686983, 0, 2, 7], [0.22313017, 1, 1, 1]),
        ("selu", [-1.3658143, 0, 2.101402, 7.354907],
         [0.392285, 1.050701, 1.050701, 1.050701]),
        ("softsign", [-0.6, 0, 0.6666667, 0.875], [0.16, 1, 0.1111111, 0.015625]),
        ("softplus", [0.20141333, 0.6931472, 2.126928, 7.0009117],
         [0.18242553, 0.5, 0.880797, 0.999089]),
        ("leaky_relu", [-0.3, 0, 2, 7], [0.2, 0.2, 1, 1]),
    ],
)  # fmt: skip
def test_activations_at_their_kinks(name, values, slopes):
    y, (dx,) = slope(getattr(nn, name), np.float32([-1.5, 0, 2, 7]))
    close(y, values)
    close(dx, slopes)


def test_the_second_derivative_of_relu_is_zeros_not_none():
    x = constant([-1.5, 0.0, 2.0])
    with GradientTape() as outer:
        outer.watch(x)
        with GradientTape() as tape:
            tape.watch(x)
            y = nn.relu(x)
        dx = tape.gradient(y, x)
    close(outer.gradient(dx, x), [0, 0, 0])


def test_cross_entropy_and_its_labels():
    labels, logits = np.float32([[0.3, 0.7], [0.5, 0.5]]), np.float32([[1, 2], [3, -1]])

    def loss(function):
        return slope(lambda a, b: function(labels=a, logits=b), labels, logits)

    slopes = [[-0.0310586, 0.0310586], [0.4820138, -0.4820138]]
    y, (d_labels, d_logits) = loss(nn.softmax_cross_entropy_with_logits_v2)
    close(y, [0.6132617, 2.0181499])
    close(d_labels, [[1.3132616, 0.3132617], [0.01815, 4.01815]])
    close(d_logits, slopes)
    y, (d_labels, d_logits) = loss(nn.softmax_cross_entropy_with_logits)
    close(y, [0.6132617, 2.0181499])
    close(d_logits, slopes)
    assert d_labels is None


def test_other_losses():
    labels, logits = constant([[0.3, 0.7], [0.5, 0.5]]), constant([[1.0, 2], [3, -1]])
    found = nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
    close(found, [[1.0132617, 0.726928], [1.5485873, 0.8132617]])
    found = nn.weighted_cross_entropy_with_logits(labels, logits, 2.0)
    close(found, [[1.1072402, 0.8157777], [1.572881, 1.4698926]])
    found = nn.log_poisson_loss(labels, logits, True)
    close(found, [[2.4182818, 5.989056], [18.585537, 0.8678795]])
    close(nn.zero_fraction([0.0, 1.0, 0.0, 3.0]), 0.5)


def test_fused_batch_norm_to_the_second_order():
    x = constant((np.arange(16) ** 1.5 / 10).reshape(2, 2, 2, 2).astype(np.float32))
    scale, offset = constant([1.0, 2.0]), constant([0.5, -1.0])
    inputs = [x, scale, offset]
    with GradientTape() as outer:
        outer.watch(inputs)
        with GradientTape() as tape:
            tape.watch(inputs)
            y, mean, variance = nn.fused_batch_norm(*inputs)
            loss = reduce_sum(multiply(multiply(y, y), x))
        dx, dscale, doffset = tape.gradient(loss, inputs)
        size = reduce_sum(multiply(dx, dx)) + reduce_sum(multiply(dscale, dscale))
    close(mean, [2.1716, 2.5543318])
    close(variance, [3.5704625, 4.1547308])
    close(y.numpy()[0, 0, 0], [-0.728412, -3.5741158])
    close(dx.numpy()[0, 0, 0], [2.5336978, 21.550743])
    close(dscale, [60.222244, 72.101357])
    close(doffset, [45.648716, 20.135729])
    ddx, ddscale, ddoffset = outer.gradient(size, inputs)
    # TensorFlow's for the composed formula; those of its fused op (1148.2688 ...) are
    # not the slopes.
    close(ddx.numpy()[0, 0, 0], [690.7075, 2345.0842])
    close(ddscale, [5826.5451, 9360.1443])
    close(ddoffset, [3470.562, 4070.401])


def test_moments_from_their_sums():
    x = constant([[1.0, 2.0], [3.0, -1.0]])
    assert nn.sufficient_statistics(x, [0])[3] is None
    sums = nn.sufficient_statistics(x, [0], shift=1.0)
    for found, wanted in zip(sums, (2, [2, -1], [4, 5], 1), strict=True):
        close(found, wanted)
    mean, variance = nn.normalize_moments(*sums)
    close(mean, [2, 0.5])
    close(variance, [1, 2.25])
    mean, variance = nn.weighted_moments(x, [0], [[1.0], [3.0]])
    close(mean, [2.5, -0.25])
    close(variance, [0.75, 1.6875])


# ------------------------------------------------------------------ ties, blocks
def test_the_first_of_equal_entries_is_taken():
    _, (dx,) = slope(
        lambda x: nn.max_pool(x, WINDOW, WINDOW, "VALID"),
        np.float32([[5, 5], [5, 1]]).reshape(1, 2, 2, 1),
    )
    close(dx.numpy().ravel(), [1, 0, 0, 0])
    values, indices = nn.top_k([[1.0, 5, 5, 2], [3, 1, 2, 3]], 2)
    assert values.numpy().tolist() == [[5, 5], [3, 3]]
    assert indices.numpy().tolist() == [[1, 2], [0, 3]]


def test_infinite_gradients_stay_where_they_belong():
    x = constant(np.float32([[1, 2], [3, 4]]).reshape(1, 2, 2, 1))
    with GradientTape() as tape:
        tape.watch(x)
        y = nn.max_pool(x, WINDOW, WINDOW, "VALID")
    dx = tape.gradient(y, x, output_gradients=[constant([[[[np.inf]]]])])
    assert dx.numpy().ravel().tolist() == [0, 0, 0, np.inf]


@pytest.mark.parametrize("shape", [(40, 32, 32, 16), (3, 20, 20, 1), (2, 96, 96, 32)])
def test_blocks_and_long_rows_change_nothing(shape):
    random = np.random.RandomState(0)
    x, w = random.randn(*shape), random.randn(3, 3, shape[3], 2)
    ones = (1, 1, 1, 1)
    y = conv(x, w, ones, "VALID", "NHWC", ones)
    h, wide = shape[1] - 2, shape[2] - 2
    wanted = sum(
        x[:, i : i + h, j : j + wide] @ w[i, j] for i in range(3) for j in range(3)
    )
    np.testing.assert_allclose(y, wanted, rtol=1e-9, atol=1e-9)


def test_dropout_is_a_floor():
    set_random_seed(3)
    y = nn.dropout(constant(np.full((50, 40), 3.0)), 0.75, seed=7).numpy()
    set_random_seed(3)
    u = random_uniform([50, 40], dtype=dtypes.float64, seed=7).numpy()
    close(y, 3 / 0.75 * np.floor(0.75 + u))
    rows = nn.dropout(constant(np.ones((9, 4))), 0.5, noise_shape=[None, 1]).numpy()
    assert rows.shape == (9, 4) and (rows == rows[:, :1]).all()
    x = constant([1.0])
    assert nn.dropout(x, 1) is x


def test_embeddings_in_parts():
    table = np.arange(10.0).reshape(5, 2)
    ids = [[4, 0], [3, 3]]
    mod = [table[0::2], table[1::2]]
    div = [table[:3], table[3:]]
    tensors = [[constant(p) for p in parts] for parts in (mod, div)]
    close(nn.embedding_lookup(tensors[0], ids), table[ids])
    close(nn.embedding_lookup(tensors[1], ids, "div"), table[ids])
    with pytest.raises(ValueError, match="Unrecognized partition strategy: x"):
        nn.embedding_lookup(tensors[0], ids, "x")
    clipped = nn.embedding_lookup(constant([[3.0, 4.0]]), [0], max_norm=1.0)
    close(clipped, [[0.6, 0.8]])


# ------------------------------------------------------------------ errors
def test_arguments_are_checked():
    x, logits = constant([[1.0, 2.0]]), constant([[1.0, 2.0, 3.0]])
    with pytest.raises(ValueError, match="float in the range \\(0, 1\\], got 0"):
        nn.dropout(x, 0.0)
    with pytest.raises(ValueError, match="Got a <dtype: 'int32'> tensor instead"):
        nn.dropout(constant([1]), 0.5)
    for function in (
        nn.softmax_cross_entropy_with_logits_v2,
        nn.sigmoid_cross_entropy_with_logits,
        nn.sparse_softmax_cross_entropy_with_logits,
    ):
        with pytest.raises(ValueError, match="with named arguments"):
            function(x, x)
        with pytest.raises(ValueError, match="Both labels and logits"):
            function(labels=x)
    sparse = nn.sparse_softmax_cross_entropy_with_logits
    with pytest.raises(ValueError, match=r"labels \(received 2\) should equal rank"):
        sparse(labels=[[1]], logits=logits)
    with pytest.raises(ValueError, match=r"received \(2,\)\) should .* \(1, 3\)"):
        sparse(labels=[1, 2], logits=logits)
    with pytest.raises(ValueError, match="Both 'mean' and 'variance' must be None"):
        nn.fused_batch_norm(x, x, x, x, x)
    with pytest.raises(TypeError, match="Expected list for 'strides' argument"):
        nn.conv2d(x, x, 1, "SAME")
    with pytest.raises(errors.InvalidArgumentError, match="5 is out of range"):
        nn.softmax(x, 5)


@pytest.mark.parametrize("op", ["SparseSoftmaxCrossEntropyWithLogits", "InTopKV2"])
def test_guards_agree_with_checks(op):
    op, scores = registry[op], np.zeros((2, 3), np.float32)
    more = (1,) if op.type == "InTopKV2" else ()
    for labels in ([0, 2], [0, 3], [-1, 2]):
        inputs = (scores, np.array(labels), *more)
        good = op.check(*inputs) is None
        assert good == bool(op.guard(np)(*inputs)) == (labels == [0, 2])


# ------------------------------------------------------------------ graphs
def nodes_of(build):
    """The names of the nodes that `build` adds, and their types."""
    with Graph().as_default() as graph:
        out = build()
        return out, {n.name: n.type for n in graph.get_operations()}


def test_names_in_graphs():
    def build():
        x = placeholder(dtypes.float32, [None, 3], "x")
        w, b = placeholder(dtypes.float32, [3, 4], "w"), constant([0.0] * 4, name="b")
        y = nn.dropout(nn.relu_layer(x, w, b), 0.5)
        return nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=y)

    loss, names = nodes_of(build)
    assert loss.name == "softmax_cross_entropy_with_logits/Reshape_2:0"
    assert loss.shape.as_list() == [None]
    assert names["relu_layer/BiasAdd"] == "BiasAdd" and names["relu_layer"] == "Relu"
    assert names["dropout/mul"] == "Mul" and names["dropout/Floor"] == "Floor"
    found = names["softmax_cross_entropy_with_logits"]
    assert found == "SoftmaxCrossEntropyWithLogits"


def test_shapes_in_graphs():
    def build():
        x = placeholder(dtypes.float32, [None, 8, None, 3])
        w = placeholder(dtypes.float32, [3, 3, 3, 5])
        y = nn.conv2d(x, w, [1, 2, 2, 1], "SAME")
        pooled = nn.max_pool(y, WINDOW, WINDOW, "VALID")
        return y.shape.as_list(), pooled.shape.as_list()

    shapes, _ = nodes_of(build)
    assert shapes == ([None, 4, None, 5], [None, 2, None, 5])


def test_errors_in_graphs_are_value_errors():
    def build():
        x = placeholder(dtypes.float32, [1, 4, 4, 3])
        w = placeholder(dtypes.float32, [3, 3, 2, 4])
        nn.conv2d(x, w, [1, 1, 1, 1], "SAME")

    text = "Dimensions must be equal, but are 3 and 2 for 'Conv2D' \\(op: 'Conv2D'\\)"
    with pytest.raises(ValueError, match=text):
        nodes_of(build)


@pytest.mark.parametrize(
    ("ksize", "strides", "text"),
    [
        ([1, 2, 2, 2], [1, 1, 1, 2], "exactly one of pooling across depth"),
        ([1, 1, 1, 3], [1, 1, 1, 3], "evenly divide"),
        ([1, 1, 1, 2], [1, 1, 1, 1], "depth window to equal the depth stride"),
    ],
)
def test_pooling_of_channels_is_refused_as_by_tensorflow(ksize, strides, text):
    with pytest.raises(errors.UnimplementedError, match=text):
        max_pool(np.ones((1, 2, 2, 4)), ksize, strides, "SAME", "NHWC")
