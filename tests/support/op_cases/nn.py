"""Rows of ops.nn: moments, dropout and most of the others."""

import numpy as np

from tests.support.op_cases.table import away_from_zero as gap
from tests.support.op_cases.table import case, distinct, error, floats
from twinflow.ops.nn import activation as nn_activation
from twinflow.ops.nn import dropout as nn

_HALF = ("float16", "bfloat16", "float32", "float64")
_SUMS = {"tol": {"float32": 4e-6}, "reason": "sums of many rounded products"}
_HALF_SUMS = {
    "tol": {"float16": 8e-3, "bfloat16": 8e-2},
    "reason": "several rounded steps in a half",
}


# ------------------------------------------------------------------ activations
_SCALE, _ALPHA = 1.0507009873554805, 1.6732632423543772


def _elu(x):
    return np.where(x > 0, x, np.expm1(x))


def _selu(x):
    return _SCALE * np.where(x > 0, x, _ALPHA * np.expm1(x))


def _selu_slope(dy, y):
    return dy * np.where(y < 0, y + _SCALE * _ALPHA, _SCALE)


def _activation_rows(op, reference, slope, sample=gap):
    case(op, sample(3, 4), reference=reference, dtypes=_HALF, **_HALF_SUMS)
    case(op, sample(), reference=reference)
    unlike = error(np.zeros(2), np.zeros(3), text="must have the same size and shape")
    case(f"{op}Grad", floats(3, 4), sample(3, 4), reference=slope, dtypes=_HALF,
         errors=[unlike], **_HALF_SUMS)  # fmt: skip


_activation_rows("Relu", lambda x: np.maximum(x, 0), lambda dy, x: dy * (x > 0))
_activation_rows(
    "Relu6",
    lambda x: np.clip(x, 0, 6),
    lambda dy, x: dy * ((x > 0) & (x < 6)),
    lambda *shape: gap(*shape, low=6.5, high=8.0),
)
_activation_rows("Elu", _elu, lambda dy, y: dy * np.where(y > 0, 1, y + 1))
_activation_rows("Selu", _selu, _selu_slope)
_activation_rows(
    "Softsign",
    lambda x: x / (1 + abs(x)),
    lambda dy, x: dy / (1 + abs(x)) ** 2,
)
_UNLIKE = error(np.zeros(2), np.zeros(3), text="must have the same size and shape")


def _moments(x, axes):
    return [x.mean(axes, keepdims=True), x.var(axes, keepdims=True)]


case("SoftplusGrad", floats(3, 4), floats(3, 4), dtypes=_HALF, errors=[_UNLIKE],
     reference=lambda dy, x: dy / (1 + np.exp(-x)), **_HALF_SUMS)  # fmt: skip
case(nn_activation.swish, floats(3), reference=lambda x: x / (1 + np.exp(-x)))
case("Relu", np.array([-2, 0, 3], np.int32), reference=np.array([0, 0, 3], np.int32))
case(nn.relu6, gap(2, 3), reference=lambda x: np.maximum(x, 0))
case(nn.leaky_relu, gap(2, 3), reference=lambda x: np.maximum(x, 0.2 * x))
case(nn.crelu, gap(3), reference=lambda x: np.maximum([*x, *-x], 0))


def _softmax(x, axis=-1):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def _log_softmax(x, axis=-1):
    return np.log(_softmax(x, axis))


_KINDS = (nn.softmax, _softmax), (nn.log_softmax, _log_softmax)
for _op, (_function, _reference) in zip(("Softmax", "LogSoftmax"), _KINDS):
    case(_op, floats(3, 4), reference=_reference, dtypes=_HALF, **_HALF_SUMS)
    case(_op, floats(2, 3, 2, low=-90, high=90), reference=_reference, grad=(), **_SUMS)
    case(_function, floats(3, 4), reference=_reference, attrs={"axis": 0}, needs="rank")
    case(_function, floats(2, 3, 2), attrs={"dim": 1}, needs="rank",
         reference=lambda x, dim, f=_reference: f(x, dim))  # fmt: skip
    scalar = error(np.zeros(()), text="logits must have >= 1 dimension, got []")
    case(_op, floats(3), reference=_reference, errors=[scalar])


# ------------------------------------------------------------------ biases
_CHANNELS = {"data_format": "NCHW"}
_SIZES = "as many biases as the last dimension of the input tensor: [4] vs. [2,3] [Op:"
_NO_BIAS = [
    error(np.zeros((2, 3)), np.zeros(4), text=_SIZES),
    error(np.zeros((2, 3)), np.zeros((1, 3)), text="Biases must be 1D: [1,3]"),
    error(np.zeros(3), np.zeros(3), text="Input tensor must be at least 2D: [3]"),
]


def _bias_grad(dy, data_format="NHWC"):
    at = 1 if data_format == "NCHW" else dy.ndim - 1
    return dy.sum(tuple(a for a in range(dy.ndim) if a != at))


case("BiasAdd", floats(3, 4), floats(4), reference=np.add, errors=_NO_BIAS)
case("BiasAddV1", floats(3, 4), floats(4), reference=np.add, errors=_NO_BIAS[1:])
case("BiasAdd", floats(2, 3, 2, 4), floats(4), reference=np.add)
case(nn.bias_add, floats(2, 3, 2, 4), floats(4), reference=np.add)
_NO_NCHW = error(np.zeros((1, 3)), np.zeros(3), text="NCHW format supports only 4D")
case("BiasAdd", floats(2, 3, 2, 2), floats(3), attrs=_CHANNELS, errors=[_NO_NCHW],
     reference=lambda x, b, data_format: x + b.reshape(3, 1, 1))  # fmt: skip
case("BiasAddGrad", floats(3, 4), reference=_bias_grad, dtypes=_HALF, **_HALF_SUMS)
case("BiasAddGrad", floats(2, 3, 2, 4), reference=_bias_grad)
case("BiasAddGrad", floats(2, 3, 2, 2), attrs=_CHANNELS, reference=_bias_grad)
case(nn.relu_layer, floats(2, 3), floats(3, 4), floats(4, low=9, high=10),
     reference=lambda x, w, b: x @ w + b)  # fmt: skip


# ------------------------------------------------------------------ cross entropies
_LABELS = np.array([[0.2, 0.3, 0.5], [1.0, 0.0, 0.0]])
_MARKS = np.array([2, 0, 1])
_BOTH = "SoftmaxCrossEntropyWithLogits"
_SPARSE = "SparseSoftmaxCrossEntropyWithLogits"


def _dense(logits, labels):
    return [-(labels * _log_softmax(logits)).sum(1), _softmax(logits) - labels]


def _sparse(logits, labels):
    return _dense(logits, np.eye(logits.shape[1])[labels])


_UNLIKE = "logits and labels must be broadcastable: logits_size=[2,4] labels_size=[2,3]"
case(_BOTH, floats(2, 3), _LABELS, reference=_dense, grad=(0,), dtypes=_HALF,
     errors=[error(np.zeros((2, 4)), _LABELS, text=_UNLIKE)], **_HALF_SUMS)  # fmt: skip
case(_BOTH, floats(2, 3), floats(2, 3), reference=_dense, grad=(1,))
case(_BOTH, floats(1, 3), _LABELS, reference=_dense, grad=())
_BAD = (
    "Received a label value of 12 which is outside the valid range of [0, 10).  Label "
    f"values: 1 12 3 [Op:{_SPARSE}]"
)
_ROWS = "same first dimension, got logits shape [2,4] and labels shape [3]"
_NO_LABELS = [
    error(np.zeros((3, 10)), np.array([1, 12, 3]), text=_BAD),
    error(np.zeros((3, 10)), np.array([1, 12, -1]), text="label value of -1 which"),
    error(np.zeros((2, 4)), _MARKS, text=_ROWS),
]
case(_SPARSE, floats(3, 4), _MARKS, reference=_sparse, dtypes=_HALF, errors=_NO_LABELS,
     **_HALF_SUMS)  # fmt: skip
case(_SPARSE, floats(3, 4, low=-200, high=200), _MARKS.astype(np.int32), grad=(),
     reference=lambda x, y: [  # log(softmax) would be log(0)
         np.log(np.exp(x - x.max(1, keepdims=True)).sum(1)) + x.max(1) - x[range(3), y],
         _softmax(x) - np.eye(4)[y]])  # fmt: skip


def _logistic(logits, labels):
    return np.logaddexp(0, logits) - logits * labels


def _sigmoid_loss(logits, labels):
    return nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)


def _weighted(z, x, pos_weight):
    return (1 - z) * np.logaddexp(0, x) + pos_weight * z * np.logaddexp(0, -x)


case(_sigmoid_loss, gap(2, 3, high=50.0), floats(2, 3), reference=_logistic, **_SUMS)
case(nn.weighted_cross_entropy_with_logits, floats(2, 3, low=0, high=1), gap(2, 3),
     attrs={"pos_weight": 2.5}, reference=_weighted)  # fmt: skip
case(nn.log_poisson_loss, floats(4, low=2, high=5), floats(4),
     reference=lambda z, c: np.exp(c) - z * c)  # fmt: skip


# ------------------------------------------------------------------ normalization
def _batch_norm(x, scale, offset, mean=None, variance=None, data_format="NHWC",
                epsilon=0.001, is_training=True):  # fmt: skip
    axes = (0, 2, 3) if data_format == "NCHW" else (0, 1, 2)
    laid = (-1, 1, 1) if data_format == "NCHW" else (-1,)
    n = x.size / scale.size
    reported = variance
    if is_training:
        mean, variance = x.mean(axes), x.var(axes)
        reported = variance * n / (n - 1)
    h = (x - mean.reshape(laid)) / np.sqrt(variance + epsilon).reshape(laid)
    y = scale.reshape(laid) * h + offset.reshape(laid)
    return [y, mean, reported, mean, variance]


def _batch_norm_grad(dy, x, scale, mean, variance, data_format="NHWC", epsilon=0.001,
                     is_training=True):  # fmt: skip
    axes = (0, 2, 3) if data_format == "NCHW" else (0, 1, 2)
    laid = (-1, 1, 1) if data_format == "NCHW" else (-1,)
    r = 1 / np.sqrt(variance + epsilon).reshape(laid)
    h = (x - mean.reshape(laid)) * r
    dscale, doffset = (dy * h).sum(axes), dy.sum(axes)
    d = dy
    if is_training:
        n = x.size / scale.size
        d = dy - (doffset.reshape(laid) + h * dscale.reshape(laid)) / n
    return [scale.reshape(laid) * r * d, dscale, doffset, np.zeros(0), np.zeros(0)]


_NONE = np.zeros(0)
_MEAN, _VARIANCE = np.array([0.1, -0.2, 0.3]), np.array([1.0, 0.5, 2.0])


def _normalized(x, scale, offset, **more):
    return nn.fused_batch_norm(x, scale, offset, **more)[0]


def _normalized_reference(x, scale, offset, **more):
    return _batch_norm(x, scale, offset, **more)[0]


for _format, _shape in (("NHWC", (2, 3, 2, 3)), ("NCHW", (2, 3, 3, 2))):
    _attrs = {"data_format": _format, "epsilon": 0.001}
    _fixed = {**_attrs, "is_training": False}
    case("FusedBatchNorm", floats(*_shape), floats(3), floats(3), _NONE, _NONE,
         reference=_batch_norm, attrs=_attrs, grad=())  # fmt: skip
    case("FusedBatchNorm", floats(*_shape), floats(3), floats(3), _MEAN, _VARIANCE,
         reference=_batch_norm, attrs=_fixed, grad=())  # fmt: skip
    for _a in (_attrs, _fixed):
        case("FusedBatchNormGrad", floats(*_shape), floats(*_shape), floats(3), _MEAN,
             _VARIANCE, reference=_batch_norm_grad, attrs=_a, grad=(0, 2))  # fmt: skip
    case(_normalized, floats(*_shape), floats(3), floats(3),
         reference=_normalized_reference, attrs=_attrs)  # fmt: skip
    case(_normalized, floats(*_shape), floats(3), floats(3),
         reference=_normalized_reference,
         attrs={**_fixed, "mean": _MEAN, "variance": _VARIANCE},
         dtypes=("float64",))  # fmt: skip

_HALVES = np.random.RandomState(3).uniform(-2, 2, (2, 3, 2, 3)).astype(np.float16)
_SMALL = [v.astype(np.float32) for v in (_MEAN, _VARIANCE, _NONE)]


def _mixed(reference):
    """The statistics in float32, what has the shape of x in float16."""

    def compute(*inputs, **attrs):
        wide = [np.asarray(v, np.float64) for v in inputs]
        first, *rest = reference(*wide, **attrs)
        return [first.astype(np.float16), *(v.astype(np.float32) for v in rest)]

    return compute


case("FusedBatchNormV2", _HALVES, _SMALL[1], _SMALL[0], _SMALL[2], _SMALL[2],
     reference=_mixed(_batch_norm), attrs={"epsilon": 0.001},
     errors=[
         error(_HALVES[0], *_SMALL[:2], *_SMALL[2:] * 2,
               text="input must be 4-dimensional[3,2,3]"),
         error(_HALVES, *_SMALL[:2], *_SMALL[:2],
               text="estimated_mean must be empty for training[3]"),
     ])  # fmt: skip
case("FusedBatchNormGradV2", _HALVES, _HALVES[::-1].copy(), *_SMALL[1::-1], _SMALL[1],
     reference=_mixed(_batch_norm_grad), attrs={"epsilon": 0.001})  # fmt: skip
case(nn.moments, floats(4, 3), [0], order=1,
     reference=lambda x, axes: [x.mean(0), x.var(0)],
     reason="the mean is held still in the variance, as in TensorFlow")  # fmt: skip
case(nn.batch_normalization, floats(4, 3), floats(3), floats(3, low=0.5), floats(3),
     floats(3), 0.001,
     reference=lambda x, m, v, b, g, e: (x - m) / np.sqrt(v + e) * g + b)  # fmt: skip
case(nn.l2_normalize, floats(3, 4), 1,
     reference=lambda x, axis: x / np.sqrt((x**2).sum(1, keepdims=True)))  # fmt: skip
case("L2Loss", floats(3, 4), reference=lambda t: (t**2).sum() / 2, **_SUMS)


# ------------------------------------------------------------------ largest entries
def _top(x, k, sorted=True):
    places = np.argsort(-x, -1, kind="stable")[..., :k]
    return [np.take_along_axis(x, places, -1), places.astype(np.int32)]


_NO_TOP = [
    error(np.zeros((2, 3)), 5, text="at least k columns. Had 3, needed 5 [Op:TopKV2]"),
    error(np.zeros((2, 3)), -1, text="Need k >= 0, got -1"),
    error(np.zeros(()), 1, text="input must be >= 1-D, got shape []"),
]
case("TopKV2", distinct(3, 5), 2, reference=_top, errors=_NO_TOP)
case("TopKV2", distinct(2, 2, 3), 1, reference=_top)
case("TopKV2", np.array([[1, 5, 5, 2], [3, 1, 2, 3]], np.int32), 3, reference=_top)
_PREDICTIONS = np.array([[1, 1, 0], [np.nan, 1, 0], [0.1, 0.9, 0.5]], np.float32)
_NO_TARGETS = [
    error(_PREDICTIONS, np.array([1, 5, 1]), 1, text="targets[1] is out of range [Op:"),
    error(_PREDICTIONS, _MARKS[:2], 1, text="must match length of targets 2"),
]
case("InTopKV2", _PREDICTIONS, np.array([1, 1, 2]), 2, errors=_NO_TARGETS,
     reference=np.array([True, False, True]))  # fmt: skip
case("InTopKV2", _PREDICTIONS, np.array([0, 2, 0]), 2,
     reference=np.array([True, False, False]))  # fmt: skip
case("InTopK", _PREDICTIONS, np.array([1, 1, 2]), attrs={"k": 2},
     reference=np.array([True, False, True]))  # fmt: skip
case("DataFormatDimMap", np.array([0, 1, -1], np.int32),
     reference=np.array([0, 2, 1], np.int32))  # fmt: skip
_NO_FORMAT = [
    error(np.arange(3), text="1D input must be of size 4, but got shape [3]"),
    error(np.zeros((4, 3), int), text="2D input must be of size 2, but got shape [4,"),
]
case("DataFormatVecPermute", np.array([7, 8, 9, 10]), errors=_NO_FORMAT,
     reference=np.array([7, 10, 8, 9]))  # fmt: skip
case("DataFormatVecPermute", np.arange(8).reshape(4, 2),
     reference=np.array([[0, 1], [6, 7], [2, 3], [4, 5]]))  # fmt: skip
case(nn.embedding_lookup, floats(3, 2), np.array([[2, 0], [2, 2]]), grad=(0,),
     reference=lambda rows, ids: rows[ids])  # fmt: skip
case("TwinMoments", floats(4, 3), (0,), order=1,
     reference=_moments,
     reason="the mean is held still in the variance, as in TensorFlow")  # fmt: skip
case("TwinMoments", floats(2, 4, 3), (-1,), order=1,
     reference=_moments,
     reason="the mean is held still in the variance, as in TensorFlow")  # fmt: skip
for _inner in ((3,), (4, 1)):
    case("TwinNormalized", floats(4, 3), floats(*_inner), floats(*_inner, low=0.5),
         floats(3), floats(3), attrs={"epsilon": 0.001},
         reference=lambda x, m, v, b, g, epsilon:
             (x - m) / np.sqrt(v + epsilon) * g + b)  # fmt: skip


def _lstm(gates, c, crossed=False):
    i, j, f, o = np.split(gates, 4, 1)
    j, f = (f, j) if crossed else (j, f)
    i, f, o = (1 / (1 + np.exp(-x)) for x in (i, f + 1, o))
    new = f * c + i * np.tanh(j)
    return new, o * np.tanh(new), np.stack([i, f, o, np.tanh(j), np.tanh(new)])


case("TwinLSTMGates", floats(3, 8), floats(3, 2), reference=_lstm)
case("TwinLSTMGates", floats(3, 8), floats(3, 2), attrs={"crossed": True},
     reference=_lstm)  # fmt: skip
