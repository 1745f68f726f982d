"""Batch normalisation folded into the weights before it.

As in TensorFlow, weights are scaled by moving statistics, so that they
are quantised as they will be in the end; while training, a correction after the product
makes the result that of the batch's statistics again.
"""

from typing import Any, NamedTuple

from twinflow.autodiff.custom_gradient import custom_gradient
from twinflow.base.dtypes import float32
from twinflow.contrib.quantize.layers import LAYERS, joined, reroute, scope_of
from twinflow.contrib.quantize.quant_ops import quantization_step
from twinflow.graph.cond import cond
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.arithmetic import add as add_op
from twinflow.ops.core.compare import greater_equal
from twinflow.ops.core.constant import cast, constant, identity
from twinflow.ops.core.creation import ones, ones_like, zeros, zeros_like
from twinflow.ops.core.division import divide
from twinflow.ops.core.elementwise import multiply, reciprocal, rsqrt, subtract
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.size import size

_FUSED = ("FusedBatchNorm", "FusedBatchNormV2")


class Norm(NamedTuple):
    """A product and the batch normalisation after it."""

    product: Any  # the node
    output: Any  # the tensor that the normalisation gives
    gamma: Any
    beta: Any
    mean: Any  # of the batch, or those that were kept
    variance: Any
    epsilon: Any
    moving_mean: Any  # None where no batch counts
    moving_variance: Any
    decays: Any  # the nodes that say how fast they move
    scope: str  # of the layer
    fused: Any  # the node, or None


def fold_batch_norms(
    graph: Any, is_training: bool, freeze_batch_norm_delay: int | None = None
) -> None:
    """Fold batch normalisation into the weights of a graph, in place.

    Args:
        graph: a Graph. is_training: whether it is trained.
        freeze_batch_norm_delay: int, after how many steps statistics stay as they are.
    """
    for node in list(graph.get_operations()):
        found = _fused(node) if node.type in _FUSED else _unfused(node)
        if found is not None:
            with graph.as_default(), name_scope(None):
                _fold(found, is_training, freeze_batch_norm_delay)


def _product_before(tensor):
    """The node that multiplies by weights, before a tensor; perhaps reshaped since."""
    node = tensor.op
    if node.type == "Reshape":
        node = node.inputs[0].op
    return node if node.type in LAYERS and len(node.inputs) == 2 else None


def _fused(node):
    product = _product_before(node.inputs[0])
    if product is None:
        return None
    trains = bool(node.get_attr("is_training"))
    mean, variance = node.outputs[1:3] if trains else node.inputs[3:5]
    kept = _kept(mean, variance) if trains else (None, None, ())
    _, gamma, beta = node.inputs[:3]
    scope = scope_of(scope_of(node.name))
    return Norm(
        product, node.outputs[0], gamma, beta, mean, variance,
        node.get_attr("epsilon"), *kept, scope, node,
    )  # fmt: skip


def _kept(mean, variance):
    """The moving statistics that follow those of batches, and how fast."""
    found, decays = [], []
    for tensor in (mean, variance):
        user = next((u for u in tensor.consumers() if _moves(u)), None)
        if user is None:
            return None, None, ()
        found.append(next(t for t in user.inputs if t is not tensor))
        decays += [u for u in user.outputs[0].consumers() if u.type == "Mul"]
    return (*found, tuple(decays))


def _moves(node):
    """Whether a node begins the update of a moving average."""
    scope = scope_of(node.name).rpartition("/")[2]
    return node.type == "Sub" and scope.startswith("AssignMovingAvg")


def _unfused(node):
    """The parts of `add_1` of tf.nn.batch_normalization after a product."""
    if node.type != "Add" or "/batchnorm" not in node.name:
        return None
    scaled, shift = (tensor.op for tensor in node.inputs)
    if scaled.type != "Mul" or shift.type != "Sub":
        return None
    product, scale = _product_before(scaled.inputs[0]), scaled.inputs[1].op
    if product is None or shift.inputs[1].op.type != "Mul":
        return None
    gamma, root = None, scale
    if scale.type == "Mul":
        root, gamma = scale.inputs[0].op, scale.inputs[1]
    variance, epsilon = root.inputs[0].op.inputs
    mean = shift.inputs[1].op.inputs[0]
    scope = scope_of(scope_of(scope_of(node.name)))
    return Norm(
        product, node.outputs[0], gamma, shift.inputs[0], mean, variance, epsilon,
        *_kept(mean, variance), scope, None,
    )._replace(fused=None)  # fmt: skip


def _fold(norm, is_training, freeze_delay):
    """Put the folded product and its bias in the place of a normalised one."""
    if norm.fused is not None:
        inner = scope_of(norm.fused.name) + "_Fold"
        norm, scale, bias = _scale_and_bias(norm, inner, is_training)
    else:
        inner = norm.scope
        add = norm.output.op
        scale, bias = add.inputs[0].op.inputs[1], add.inputs[1]
    users = [n for n in norm.output.consumers() if not _measures(n)]
    corrects = is_training and norm.moving_mean is not None
    with name_scope(joined(inner, "batch_norm_correction") + "/"):
        correction = _correction(norm, freeze_delay) if corrects else None
    weights = norm.product.inputs[1]
    depthwise = norm.product.type == "DepthwiseConv2dNative"

    def shaped(tensor, name):
        if not depthwise:
            return tensor
        with name_scope(inner + "/"):
            return reshape(tensor, weights.shape.as_list()[2:], name=name)

    with name_scope(norm.scope + "/" if norm.scope else None):
        if correction is not None:
            by = shaped(correction[0], "correction_reshape")
            weights = multiply(by, weights, name="correction_mult")
        weights = multiply(weights, shaped(scale, "scale_reshape"), name="mul_fold")
        found = _product(norm.product, weights)
        if norm.output.shape.ndims != found.shape.ndims:
            found = reshape(found, shape(norm.output))
        if correction is not None:
            found = multiply(correction[1], found, name="post_conv_mul")
            found = add_op(found, correction[2], name="correction_add")
        found = add_op(found, bias, name="add_fold")
    reroute(norm.output, found, users)


def _measures(node):
    """Whether a node only asks for the size of a normalised tensor."""
    return node.type in ("Size", "Shape")


def _scale_and_bias(norm, inner, is_training):
    """(the Norm with moments that have slopes, the scale of weights, the bias)."""
    if is_training and norm.moving_mean is not None:
        with name_scope(scope_of(norm.fused.name) + "/"):
            mean, variance = _measured(norm.fused.inputs[0], norm.mean, norm.variance)
            norm = norm._replace(mean=mean, variance=variance)
            count = cast(size(norm.output) / size(norm.mean), float32)
            undone = multiply(
                norm.variance, (count - 1.0) / count, name="Undo_Bessel_Correction"
            )
        norm = norm._replace(variance=undone)
    with name_scope(inner + "/"):
        scale = norm.gamma * rsqrt(norm.variance + norm.epsilon)
        bias = subtract(norm.beta, norm.mean * scale, name="bias")
    return norm, scale, bias


@custom_gradient
def _measured(x, mean, variance):
    """The moments of a batch, with the slopes that FusedBatchNorm leaves out."""

    def grad(by_mean, by_variance):
        count = cast(size(x) / size(mean), x.dtype)
        spread = 2.0 * by_variance * (x - mean) / (count - 1.0)
        return by_mean / count + spread, zeros_like(mean), zeros_like(variance)

    return (identity(mean), identity(variance)), grad


def _product(node, weights):
    """The same product with other weights."""
    inputs = (node.inputs[0], weights)
    name = node.name.rpartition("/")[2] + "_Fold"
    return node.graph.create_op(
        node.type, list(inputs), [node.outputs[0].dtype], name=name,
        attrs={key: node.node_def.attr[key] for key in node.node_def.attr},
        op_def=node.op_def,
    ).outputs[0]  # fmt: skip


def _correction(norm, freeze_delay):
    """(for weights, for what they give, what is added): for the batch, and back."""
    kept_root = rsqrt(norm.moving_variance + norm.epsilon)
    root = rsqrt(norm.variance + norm.epsilon)
    scale = identity(
        divide(kept_root, root, name="scale_compute"), name="correction_scale"
    )
    back = reciprocal(scale, name="reciprocal_compute")
    apart = norm.mean * root - norm.moving_mean * kept_root
    gamma = ones_like(apart) if norm.gamma is None else norm.gamma
    offset = multiply(gamma, apart, name="offset_compute")
    if freeze_delay is None:
        return scale, back, zeros(norm.mean.shape)
    late = greater_equal(
        quantization_step(norm.mean.graph), freeze_delay, name="use_moving_average"
    )
    for decay, name in zip(norm.decays, ("freeze_moving_mean", "freeze_moving_var")):
        speed = decay.inputs[1]
        frozen = cond(late, lambda: constant(0.0), lambda speed=speed: speed, name=name)
        decay._update_input(1, frozen)
    back = cond(
        late, lambda: ones(norm.mean.shape), lambda: back, name="correction_recip"
    )
    offset = cond(
        late, lambda: offset, lambda: zeros(norm.mean.shape), name="correction_offset"
    )
    return scale, back, offset
