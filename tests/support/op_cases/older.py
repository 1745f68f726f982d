"""Rows of ops of earlier versions, and of parts of tf.contrib that have few."""

import numpy as np

from tests.support.op_cases.image_projective import BENT, seen
from tests.support.op_cases.nn_conv import SUMS, conv, conv_filter, conv_input
from tests.support.op_cases.table import case, covered, error, floats
from twinflow.base.dtypes import float64
from twinflow.execute import rpc  # noqa: F401 - defines the ops
from twinflow.ops.image.yiq import TO_RGB, TO_YIQ

# ---------------------------------------------------------------------- arrays
case(
    "TileGrad", floats(4, 6), [2, 3],
    reference=lambda x, m: x.reshape(m[0], 2, m[1], 2).sum((0, 2)),
    errors=[error(np.zeros((3, 4)), [2, 3], text="must be evenly divisible by 2")],
)  # fmt: skip
case("ClipByValue", floats(3, 4), np.array(-0.5), np.array(1.0), reference=np.clip)
case("FakeParam", attrs={"dtype": float64, "shape": (2, 3)},
     reference=np.zeros((2, 3)))  # fmt: skip
covered("PlaceholderV2", by="tests/graph/test_older_ops.py")


def _resampled(x, shape=None):
    """[h, w, 4 c] as [2 h, 2 w, c], place by place."""
    out = np.zeros((4, 6, 2), x.dtype)
    for i, j, k in np.ndindex(*out.shape):
        out[i, j, k] = x[i // 2, j // 2, (i % 2 + j % 2 * 2) * 2 + k]
    return out


_WANTED = {"shape": (4, 6, None)}
case(
    "PeriodicResample", floats(2, 3, 8), attrs=_WANTED, reference=_resampled,
    errors=[
        error(np.zeros((2, 3)), shape=(2, 3), text="at least one index to be marked"),
        error(np.zeros((2, 3)), shape=(None, None), text="expects only one index"),
        error(np.zeros(2), shape=(2, None), text="the rank of the input tensor, 1, to"),
    ],
)  # fmt: skip
_LEFT = np.array([[0, 1], [2, 3], [5, 6], [7, 8], [10, 11], [12, 13.0]])
case("PeriodicResample", np.arange(15.0).reshape(3, 5), attrs={"shape": (6, None)},
     reference=_LEFT)  # fmt: skip


def _resampled_back(dy, original_shape, desired_shape):
    x = np.arange(48).reshape(original_shape)
    return dy.ravel()[np.argsort(_resampled(x).ravel())].reshape(original_shape)


case("PeriodicResampleOpGrad", floats(4, 6, 2), reference=_resampled_back,
     attrs={"original_shape": (2, 3, 8), "desired_shape": (4, 6, None)})  # fmt: skip

# ---------------------------------------------------------------------- slices
_ROWS = np.array([[1.0, 2, 3], [40, 50, 60], [700, 800, 900]])
_PAIRS = np.array([[0, 1], [1, 1], [0, 2], [2, 3], [1, 3]])
_RESULTS = {
    "Sum": [[1, 2, 3], [0, 0, 0], [41, 52, 63], [700, 800, 900], [740, 850, 960]],
    "Prod": [[1, 2, 3], [1, 1, 1], [40, 100, 180], [700, 800, 900],
             [28000, 40000, 54000]],
    "Max": [[1, 2, 3], [-np.inf] * 3, [40, 50, 60], [700, 800, 900], [700, 800, 900]],
    "Min": [[1, 2, 3], [np.inf] * 3, [1, 2, 3], [700, 800, 900], [40, 50, 60]],
}  # fmt: skip
for _kind, _result in _RESULTS.items():
    case(
        f"ReduceSlice{_kind}", _ROWS, _PAIRS, 0, reference=np.array(_result, float),
        errors=[error(_ROWS, _PAIRS, 5, text="Out of range dim_index 5 for shape")],
    )  # fmt: skip
case("ReduceSliceSum", np.arange(12).reshape(2, 3, 2), np.array([0, 2, 3]), 1,
     reference=np.array([[[2, 4], [4, 5]], [[14, 16], [10, 11]]]))  # fmt: skip

# ---------------------------------------------------------------------- networks
_3D = {"strides": (1, 1, 1, 1, 1), "padding": "VALID", "dilations": (1, 1, 1, 1, 1)}
_LAID = {**_3D, "data_format": "NDHWC"}
case(
    "Conv3DBackpropInput", floats(1, 2, 2, 2, 1), floats(1, 2, 2, 1, 1),
    floats(1, 2, 1, 1, 1), attrs=_3D, **SUMS,
    reference=lambda x, f, dy, **_: conv_input(x.shape, f, dy, **_LAID),
)  # fmt: skip
case(
    "Conv3DBackpropFilter", floats(1, 2, 2, 2, 1), floats(1, 2, 2, 1, 1),
    floats(1, 2, 1, 1, 1), attrs=_3D, **SUMS,
    reference=lambda x, f, dy, **_: conv_filter(x, f.shape, dy, **_LAID),
)  # fmt: skip


def _normalized(t, m, v, beta, gamma, variance_epsilon, scale_after_normalization):
    scale = gamma if scale_after_normalization else 1.0
    return (t - m) / np.sqrt(v + variance_epsilon) * scale + beta


def _slopes(t, m, v, gamma, dy, variance_epsilon, scale_after_normalization):
    rate = 1 / np.sqrt(v + variance_epsilon)
    scale = gamma if scale_after_normalization else np.ones_like(gamma)
    sums = dy.sum((0, 1, 2)), (dy * (t - m)).sum((0, 1, 2))
    d_gamma = sums[1] * rate if scale_after_normalization else 0 * gamma
    d_v = -0.5 * sums[1] * scale * rate**3
    return [dy * scale * rate, -sums[0] * scale * rate, d_v, sums[0], d_gamma]


_LOOSE = {"tol": {"float32": 1e-5}, "reason": "sums of products and their powers"}
for _scaled in (True, False):
    _attrs = {"variance_epsilon": 0.001, "scale_after_normalization": _scaled}
    _image = [floats(2, 2, 2, 3), floats(3), floats(3, low=0.5)]
    case("BatchNormWithGlobalNormalization", *_image, floats(3), floats(3), order=1,
         attrs=_attrs, reference=_normalized, **_LOOSE)  # fmt: skip
    case("BatchNormWithGlobalNormalizationGrad", *_image, floats(3), floats(2, 2, 2, 3),
         attrs=_attrs, reference=_slopes, **_LOOSE)  # fmt: skip

# ---------------------------------------------------------------------- images
_CONV = {"strides": (1, 1, 1, 1), "padding": "VALID"}
_PADS = [[0, 0], [1, 1], [1, 0], [0, 0]]


def _fused(x, paddings, filter, mode, **attrs):
    kind = {"REFLECT": "reflect", "SYMMETRIC": "symmetric"}[mode]
    more = {"data_format": "NHWC", "dilations": (1, 1, 1, 1)}
    return conv(np.pad(x, paddings, kind), filter, **attrs, **more)


for _mode in ("REFLECT", "SYMMETRIC"):
    case("FusedPadConv2D", floats(1, 3, 3, 2), _PADS, floats(2, 2, 2, 2),
         attrs={**_CONV, "mode": _mode}, reference=_fused, **SUMS)  # fmt: skip
case(
    "FusedResizeAndPadConv2D", np.arange(12.0).reshape(1, 3, 4, 1), [5, 6],
    [[0, 0], [0, 1], [1, 0], [0, 0]], np.arange(8.0).reshape(2, 2, 1, 2),
    attrs={"strides": (1, 2, 2, 1), "padding": "VALID", "mode": "REFLECT",
           "resize_align_corners": True},
    reference=np.array(  # of TensorFlow 1.12
        [22.4, 27.6, 32.0, 39.6, 46.4, 58.8, 70.4, 91.6, 80.0, 103.6, 94.4, 122.8,
         78.4, 107.6, 88.0, 119.6, 102.4, 138.8]
    ).reshape(1, 3, 3, 2),
    tol=dict.fromkeys(("float32", "float64"), 1e-5), reason="resized in float32",
)  # fmt: skip
for _method in ("NEAREST", "BILINEAR"):
    case(
        "ImageProjectiveTransform", floats(2, 3, 4, 2), BENT, grad=(),
        attrs={"interpolation": _method}, dtypes=["float32"],
        reference=lambda x, t, interpolation: seen(x, t, (3, 4), interpolation),
        tol={"float32": 1e-5}, reason="places in float32",
    )  # fmt: skip


def _turned(x, h, s, v):
    u, w = s * np.cos(h), s * np.sin(h)
    turn = np.array([[1, 0, 0], [0, u, -w], [0, w, u]])
    return x @ (v * TO_RGB @ turn @ TO_YIQ).T


case(
    "AdjustHsvInYiq", floats(2, 3, 3), *(np.float32([0.3, 1.2, 0.9])), grad=(),
    reference=_turned, dtypes=["float32"], tol={"float32": 1e-5}, reason="products",
)  # fmt: skip

# ---------------------------------------------------------------------- elsewhere
_ELSEWHERE = {
    "tests/ops/test_quantized_arithmetic.py":
        "QuantizedAdd QuantizedMul QuantizedBiasAdd QuantizedInstanceNorm "
        "QuantizedBatchNormWithGlobalNormalization QuantizedResizeBilinear "
        "QuantizeAndDequantize",
    "tests/ops/test_contributed_ops.py":
        "RangeEncode RangeDecode PmfToQuantizedCdf ReinterpretStringToFloat Fact Abort "
        "DecodeProtoV2 EncodeProto ScatterAddNdim ObtainNext ZeroInitializer "
        "ZeroVarInitializer RefSelect FakeQueue GetSessionHandleV2 Rpc TryRpc "
        "DecodeAudio DecodeAudioV2 EncodeAudio EncodeAudioV2 DecodeVideo",
    "tests/contrib/test_batching.py": "Batch Unbatch UnbatchGrad",
    "tests/ops/test_cudnn_ops.py":
        "CudnnRNN CudnnRNNV2 CudnnRNNBackprop CudnnRNNBackpropV2 CudnnRNNParamsSize "
        "CudnnRNNParamsToCanonical CudnnRNNCanonicalToParams",
    "tests/graph/test_older_ops.py": " ".join(
        f"TensorArray{part}{version}"
        for version in ("", "V2")
        for part in ("", "Write", "Read", "Gather", "Scatter", "Concat", "Split",
                     "Size", "Close", "Grad")
    ) + " TensorArrayPack TensorArrayUnpack TensorArrayGradWithShape",
}  # fmt: skip
for _by, _types in _ELSEWHERE.items():
    for _op in _types.split():
        covered(_op, by=_by)
