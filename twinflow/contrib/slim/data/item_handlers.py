"""From the features of an example to one of its items."""

import abc
from collections.abc import Callable
from typing import Any

from twinflow.base import dtypes
from twinflow.graph.case import case
from twinflow.graph.cond import cond
from twinflow.graph.map_fn import map_fn
from twinflow.ops.core.compare import equal, logical_or
from twinflow.ops.core.constant import cast, to_int64
from twinflow.ops.core.joining import concat, stack
from twinflow.ops.core.reduction import reduce_prod
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.core.slicing import slice as part
from twinflow.ops.core.transposing import transpose
from twinflow.ops.image.decode import decode_jpeg
from twinflow.ops.image.detect import decode_image, is_jpeg
from twinflow.ops.sparse import tensor as sparse
from twinflow.ops.sparse.dense import sparse_tensor_to_dense
from twinflow.ops.sparse.order import sparse_reshape
from twinflow.ops.strings.bytes import decode_raw


def _dense(value, default=0):
    if isinstance(value, sparse.SparseTensor):
        return sparse_tensor_to_dense(value, default)
    return value


class ItemHandler(abc.ABC):
    """Makes an item of the features of some keys.

    Args:
        keys: one or several.
    """

    def __init__(self, keys: Any) -> None:
        self._keys = list(keys) if isinstance(keys, list | tuple) else [keys]

    @property
    def keys(self) -> list:
        """The keys."""
        return self._keys

    @abc.abstractmethod
    def tensors_to_item(self, keys_to_tensors: dict) -> Any:
        """The item.

        Args:
            keys_to_tensors: {key: Tensor or SparseTensor}.
        """


class ItemHandlerCallback(ItemHandler):
    """An item made by a function of {key: tensor}."""

    def __init__(self, keys: Any, func: Callable) -> None:
        super().__init__(keys)
        self._func = func

    def tensors_to_item(self, keys_to_tensors: dict) -> Any:
        return self._func(keys_to_tensors)


class BoundingBox(ItemHandler):
    """Boxes, float32[n, 4], of four features with a side each.

    Args:
        keys: of the sides; ymin, xmin, ymax and xmax by default.
        prefix: what stands before each key.
    Raises:
        ValueError: there are not four keys.
    """

    def __init__(self, keys: Any = None, prefix: str = "") -> None:
        keys = ["ymin", "xmin", "ymax", "xmax"] if keys is None else keys
        if len(keys) != 4:
            raise ValueError(f"BoundingBox expects 4 keys but got {len(keys)}")
        self._prefix = prefix
        super().__init__([prefix + k for k in keys])

    def tensors_to_item(self, keys_to_tensors: dict) -> Any:
        sides = [keys_to_tensors[key] for key in self._keys]
        values = [s.values if hasattr(s, "values") else s for s in sides]
        return transpose(concat([expand_dims(v, 0) for v in values], 0))


class Tensor(ItemHandler):
    """A feature as it is, or in another shape.

    Args:
        tensor_key: of the feature. shape_keys: of features with the sizes.
        shape: the shape. default_value: of what a sparse feature has not.
    Raises:
        ValueError: shape_keys and shape are both given.
    """

    def __init__(
        self, tensor_key: str, shape_keys: Any = None, shape: Any = None,
        default_value: Any = 0,
    ) -> None:  # fmt: skip
        if shape_keys and shape is not None:
            raise ValueError("Cannot specify both shape_keys and shape parameters.")
        if shape_keys and not isinstance(shape_keys, list):
            shape_keys = [shape_keys]
        self._tensor_key, self._shape_keys = tensor_key, shape_keys
        self._shape, self._default_value = shape, default_value
        super().__init__([tensor_key, *(shape_keys or [])])

    def tensors_to_item(self, keys_to_tensors: dict) -> Any:
        found, wanted = keys_to_tensors[self._tensor_key], self._shape
        if self._shape_keys:
            sizes = [_dense(keys_to_tensors[k]) for k in self._shape_keys]
            wanted = reshape(stack(sizes), [-1])
        if isinstance(found, sparse.SparseTensor):
            if wanted is not None:
                found = sparse_reshape(found, wanted)
            return sparse_tensor_to_dense(found, self._default_value)
        return found if wanted is None else reshape(found, wanted)


class LookupTensor(Tensor):
    """A feature looked up in a table.

    Args:
        tensor_key, shape_keys, shape, default_value: see Tensor. table: a table.
    """

    def __init__(
        self, tensor_key: str, table: Any, shape_keys: Any = None, shape: Any = None,
        default_value: Any = "",
    ) -> None:  # fmt: skip
        self._table = table
        super().__init__(tensor_key, shape_keys, shape, default_value)

    def tensors_to_item(self, keys_to_tensors: dict) -> Any:
        return self._table.lookup(super().tensors_to_item(keys_to_tensors))


class BackupHandler(ItemHandler):
    """An item of one handler; where it is empty, that of another one.

    Args:
        handler, backup: ItemHandlers.
    Raises:
        ValueError: they are not.
    """

    def __init__(self, handler: ItemHandler, backup: ItemHandler) -> None:
        for what, one in (("Primary", handler), ("Backup", backup)):
            if not isinstance(one, ItemHandler):
                raise ValueError(
                    f"{what} handler is of type {type(one)} instead of ItemHandler"
                )
        self._handler, self._backup = handler, backup
        super().__init__(handler.keys + backup.keys)

    def tensors_to_item(self, keys_to_tensors: dict) -> Any:
        item = self._handler.tensors_to_item(keys_to_tensors)
        return cond(
            equal(reduce_prod(shape(item)), 0),
            lambda: self._backup.tensors_to_item(keys_to_tensors),
            lambda: item,
        )


class SparseTensor(ItemHandler):
    """A SparseTensor of two features, its indices and its values.

    Args:
        indices_key, values_key: of the features; "indices" and "values" by default.
        shape_key: of the feature with the shape. shape: the shape.
        densify: make it a Tensor. default_value: of the other entries then.
    """

    def __init__(
        self, indices_key: Any = None, values_key: Any = None, shape_key: Any = None,
        shape: Any = None, densify: bool = False, default_value: Any = 0,
    ) -> None:  # fmt: skip
        self._indices_key = indices_key or "indices"
        self._values_key = values_key or "values"
        self._shape_key, self._shape = shape_key, shape
        self._densify, self._default_value = densify, default_value
        more = [shape_key] if shape_key else []
        super().__init__([self._indices_key, self._values_key, *more])

    def tensors_to_item(self, keys_to_tensors: dict) -> Any:
        indices = keys_to_tensors[self._indices_key]
        values = keys_to_tensors[self._values_key]
        if self._shape_key:
            wanted = _dense(keys_to_tensors[self._shape_key])
        else:
            wanted = self._shape or indices.dense_shape
        rank = shape(indices.indices)[1]
        kept = part(indices.indices, [0, 0], stack([-1, rank - 1]))
        last = reshape(to_int64(indices.values), [-1, 1])
        found = sparse.SparseTensor(concat([kept, last], 1), values.values, wanted)
        return _dense(found, self._default_value) if self._densify else found


class Image(ItemHandler):
    """An image of two features: its bytes and their format.

    Args:
        image_key, format_key: of the features; "image/encoded" and "image/format" by
            default.
        shape: of the image, where it is known. channels: how many.
        dtype: of the result.
        repeated: there are several images. dct_method: see tf.image.decode_jpeg.
    """

    def __init__(
        self, image_key: Any = None, format_key: Any = None, shape: Any = None,
        channels: int = 3, dtype: Any = dtypes.uint8, repeated: bool = False,
        dct_method: str = "",
    ) -> None:  # fmt: skip
        self._image_key = image_key or "image/encoded"
        self._format_key = format_key or "image/format"
        super().__init__([self._image_key, self._format_key])
        self._shape, self._channels, self._dtype = shape, channels, dtype
        self._repeated, self._dct_method = repeated, dct_method

    def tensors_to_item(self, keys_to_tensors: dict) -> Any:
        data, kind = (keys_to_tensors[key] for key in self._keys)
        if self._repeated:
            return map_fn(lambda x: self._decode(x, kind), data, dtype=self._dtype)
        return self._decode(data, kind)

    def _decode(self, data, kind):
        """The image of the bytes: raw numbers, or in one of the formats of images."""

        def jpeg():
            found = decode_jpeg(data, self._channels, dct_method=self._dct_method)
            return cast(found, self._dtype)

        def other():
            return cast(decode_image(data, self._channels), self._dtype)

        is_raw = logical_or(equal(kind, "raw"), equal(kind, "RAW"))
        image = case(
            [(is_raw, lambda: decode_raw(data, self._dtype))],
            default=lambda: cond(is_jpeg(data), jpeg, other),
            exclusive=True,
        )
        image.set_shape([None, None, self._channels])
        return image if self._shape is None else reshape(image, self._shape)
