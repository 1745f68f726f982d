"""The two cells of NASNet-A; each takes the outputs of the two cells before it.

A cell makes sums of two steps. A step is (of what, what, place in the name); what is
the kernel of a separable convolution, AVERAGE or LARGEST; nothing = the tensor itself.
Of what: h and p, the squeezed outputs of the two cells before; "padded", h with zeros
around; a number, that sum. What takes h or p in a reduction cell halves their size.
"""

from typing import Any

from twinflow.graph.scopes import name_scope
from twinflow.keras.applications.blocks import (
    chain,
    channel_axis,
    concat,
    conv,
    even_padding,
    norm,
    relu,
    sides,
)
from twinflow.keras.applications.inception import AVERAGE, LARGEST
from twinflow.keras.layers.convolutional_separable import SeparableConv2D
from twinflow.keras.layers.merge import Add
from twinflow.keras.layers.pooling import AveragePooling2D, MaxPooling2D
from twinflow.keras.layers.resizing import Cropping2D, ZeroPadding2D

_NORMAL = (
    ("normal_add_1", ("h", 5, "left1"), ("p", 3, "right1")),
    ("normal_add_2", ("p", 5, "left2"), ("p", 3, "right2")),
    ("normal_add_3", ("h", AVERAGE, "left3"), ("p",)),
    ("normal_add_4", ("p", AVERAGE, "left4"), ("p", AVERAGE, "right4")),
    ("normal_add_5", ("h", 3, "left5"), ("h",)),
)
_REDUCTION = (
    ("reduction_add_1", ("h", 5, "left1"), ("p", 7, "right1")),
    ("reduction_add_2", ("padded", LARGEST, "left2"), ("p", 7, "right2")),
    ("reduction_add3", ("padded", AVERAGE, "left3"), ("p", 5, "right3")),
    (None, (2,), (1, AVERAGE, "left4")),
    ("reduction_add4", (1, 3, "left4"), ("padded", LARGEST, "right5")),
)


def stem(x: Any, filters: Any) -> Any:
    """The first convolution."""
    return chain(x, _conv(filters, 3, "stem_conv1", 2, "valid"), _norm("stem_bn1"))


def normal_cell(x: Any, p: Any, filters: Any, name: Any) -> Any:
    """Five sums, and p, side by side; the size stays.

    Args:
        x, p: the outputs of the last cell and of the one before. filters: of a sum.
        name: what all names end with.
    Returns:
        (output, x): what the next cell takes as x and p
    """
    with name_scope(f"normal_A_block_{name}"):
        found = _squeezed(x, p, filters, "normal", name)
        sums = _sums(_NORMAL, found, filters, "normal", name)
        return concat([found["p"], *sums], f"normal_concat_{name}", -1), x


def reduction_cell(x: Any, p: Any, filters: Any, name: Any) -> Any:
    """Four of five sums side by side; half the size; see normal_cell."""
    with name_scope(f"reduction_A_block_{name}"):
        found = _squeezed(x, p, filters, "reduction", name)
        pad = ZeroPadding2D(even_padding(found["h"], 3), name=f"reduction_pad_1_{name}")
        found["padded"] = pad(found["h"])
        sums = _sums(_REDUCTION, found, filters, "reduction", name)
        return concat(sums[1:], f"reduction_concat_{name}", -1), x


def _squeezed(x, p, filters, kind, name):
    """{"p": ..., "h": ...}, with `filters` channels."""
    p = _adjusted(p, x, filters, name)
    squeeze = _conv(filters, 1, f"{kind}_conv_1_{name}")
    return {"p": p, "h": chain(x, relu(), squeeze, _norm(f"{kind}_bn_1_{name}"))}


def _sums(table, found, filters, kind, name):
    """The sums of a cell; they join `found` under their numbers."""
    for i, (add, *steps) in enumerate(table, 1):
        with name_scope(f"block_{i}"):
            parts = []
            for source, *step in steps:
                halves = kind == "reduction" and source in ("h", "p", "padded")
                y = found[source]
                if step:
                    place = f"{kind}_{step[1]}_{name}"
                    y = _step(y, step[0], filters, place, 2 if halves else 1)
                parts.append(y)
            found[i] = Add(name=add and f"{add}_{name}")(parts)
    return [found[i + 1] for i in range(len(table))]


def _step(x, what, filters, name, strides):
    if what == AVERAGE:
        padding = "same" if strides == 1 else "valid"
        return AveragePooling2D(3, strides, padding, name=name)(x)
    if what == LARGEST:
        return MaxPooling2D(3, strides, name=name)(x)
    with name_scope(f"separable_conv_block_{name}"):
        return _separable(x, filters, what, name, strides)


def _separable(x, filters, kernel, name, strides):
    """Twice a separable convolution; the first one with the strides."""
    x = relu()(x)
    if strides == 2:
        padding = even_padding(x, kernel)
        x = ZeroPadding2D(padding, name=f"separable_conv_1_pad_{name}")(x)

    def layers(i, strides, padding):
        layer = SeparableConv2D(
            filters, kernel, strides, padding, use_bias=False,
            kernel_initializer="he_normal", name=f"separable_conv_{i}_{name}",
        )  # fmt: skip
        return layer, _norm(f"separable_conv_{i}_bn_{name}")

    first = layers(1, strides, "valid" if strides == 2 else "same")
    return chain(x, *first, relu(), *layers(2, 1, "same"))


def _norm(name):
    return norm(name, momentum=0.9997, epsilon=1e-3)


def _conv(filters, kernel, name, strides=1, padding="same"):
    return conv(filters, kernel, strides, padding, name, kernel_initializer="he_normal")


def _adjusted(p, x, filters, name):
    """p with the size of x and `filters` channels; x itself where there is no p."""
    if p is None:
        return x
    shape, end = p.shape.as_list(), _norm(f"adjust_bn_{name}")
    with name_scope("adjust_block"):
        if sides(shape) != sides(x.shape.as_list()):
            with name_scope(f"adjust_reduction_block_{name}"):
                return end(_halved(p, filters // 2, name))
        if shape[channel_axis()] != filters:
            squeeze = _conv(filters, 1, f"adjust_conv_projection_{name}")
            with name_scope(f"adjust_projection_block_{name}"):
                return chain(p, relu(), squeeze, end)
    return p


def _halved(p, filters, name):
    """Every second pixel, and every second of those shifted by one, side by side."""
    p = relu(f"adjust_relu_1_{name}")(p)

    def path(y, i):
        pool = AveragePooling2D(1, strides=2, name=f"adjust_avg_pool_{i}_{name}")
        return chain(y, pool, _conv(filters, 1, f"adjust_conv_{i}_{name}"))

    even = path(p, 1)
    shifted = chain(p, ZeroPadding2D(((0, 1), (0, 1))), Cropping2D(((1, 0), (1, 0))))
    return concat([even, path(shifted, 2)], axis=-1)
