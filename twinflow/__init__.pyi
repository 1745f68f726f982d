# Made by `make stubs` from the table of the index.
import builtins
from twinflow.base.annotations import AxisValue
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from typing import Any
from twinflow.base.dtypes import DType as DType
from twinflow.base.dtypes import as_dtype as as_dtype
from twinflow.base.dtypes import float16 as float16
from twinflow.base.dtypes import half as half
from twinflow.base.dtypes import float32 as float32
from twinflow.base.dtypes import float64 as float64
from twinflow.base.dtypes import double as double
from twinflow.base.dtypes import bfloat16 as bfloat16
from twinflow.base.dtypes import complex64 as complex64
from twinflow.base.dtypes import complex128 as complex128
from twinflow.base.dtypes import int8 as int8
from twinflow.base.dtypes import int16 as int16
from twinflow.base.dtypes import int32 as int32
from twinflow.base.dtypes import int64 as int64
from twinflow.base.dtypes import uint8 as uint8
from twinflow.base.dtypes import uint16 as uint16
from twinflow.base.dtypes import uint32 as uint32
from twinflow.base.dtypes import uint64 as uint64
from twinflow.base.dtypes import bool as bool
from twinflow.base.dtypes import string as string
from twinflow.base.dtypes import resource as resource
from twinflow.base.dtypes import variant as variant
from twinflow.base.dtypes import qint8 as qint8
from twinflow.base.dtypes import quint8 as quint8
from twinflow.base.dtypes import qint16 as qint16
from twinflow.base.dtypes import quint16 as quint16
from twinflow.base.dtypes import qint32 as qint32
from twinflow.base.dtypes import QUANTIZED_DTYPES as QUANTIZED_DTYPES
from twinflow.base.dimension import Dimension as Dimension
from twinflow.base.shapes import TensorShape as TensorShape
from twinflow.base.tensor import Tensor as Tensor
from twinflow.base.tensor_spec import TensorSpec as TensorSpec
from twinflow.base.devices import DeviceSpec as DeviceSpec
from twinflow.base.errors import OpError as OpError
from twinflow import errors as errors
from twinflow import math as math
from twinflow import bitwise as bitwise
from twinflow import dtypes as dtypes
from twinflow import nn as nn
from twinflow.profiling.taking import profile as profile
from twinflow import image as image
from twinflow import linalg as linalg
from twinflow import random as random
from twinflow import sets as sets
from twinflow import sparse as sparse
from twinflow import initializers as initializers
from twinflow import losses as losses
from twinflow import distribute as distribute
from twinflow import distributions as distributions
from twinflow import metrics as metrics
from twinflow import debugger as debugger
from twinflow import profiler as profiler
from twinflow import saved_model as saved_model
from twinflow import onnx as onnx
from twinflow.contrib import lite as lite
from twinflow import stablehlo as stablehlo
from twinflow import estimator as estimator
from twinflow.ops.parsing.features import FixedLenFeature as FixedLenFeature
from twinflow.ops.parsing.features import FixedLenSequenceFeature as FixedLenSequenceFeature
from twinflow.ops.parsing.features import SparseFeature as SparseFeature
from twinflow.ops.parsing.features import VarLenFeature as VarLenFeature
from twinflow.ops.parsing.public import decode_json_example as decode_json_example
from twinflow.ops.parsing.public import parse_example as parse_example
from twinflow.ops.parsing.public import parse_single_example as parse_single_example
from twinflow.ops.parsing.public import parse_single_sequence_example as parse_single_sequence_example
from twinflow import summary as summary
from twinflow import train as train
from twinflow import keras as keras
from twinflow import layers as layers
from twinflow import data as data
from twinflow import contrib as contrib
from twinflow import pywrap_tensorflow as pywrap_tensorflow
from twinflow import user_ops as user_ops
from twinflow.ops.core.constant import constant as constant
from twinflow.ops.core.constant import convert_to_tensor as convert_to_tensor
from twinflow.ops.core.constant import identity as identity
from twinflow.ops.core.constant import stop_gradient as stop_gradient
from twinflow.ops.core.constant import cast as cast
def to_float(x: TensorValue, name: str = ...) -> Tensor:
    r"""`x` as float32: the same as `tf.cast(x, tf.float32)`.
    """
def to_double(x: TensorValue, name: str = ...) -> Tensor:
    r"""`x` as float64: the same as `tf.cast(x, tf.float64)`.
    """
def to_int32(x: TensorValue, name: str = ...) -> Tensor:
    r"""`x` as int32: the same as `tf.cast(x, tf.int32)`.
    """
def to_int64(x: TensorValue, name: str = ...) -> Tensor:
    r"""`x` as int64: the same as `tf.cast(x, tf.int64)`.
    """
def to_bfloat16(x: TensorValue, name: str = ...) -> Tensor:
    r"""`x` as bfloat16: the same as `tf.cast(x, tf.bfloat16)`.
    """
def to_complex64(x: TensorValue, name: str = ...) -> Tensor:
    r"""`x` as complex64: the same as `tf.cast(x, tf.complex64)`.
    """
def to_complex128(x: TensorValue, name: str = ...) -> Tensor:
    r"""`x` as complex128: the same as `tf.cast(x, tf.complex128)`.
    """
from twinflow.ops.core.creation import zeros as zeros
from twinflow.ops.core.creation import ones as ones
from twinflow.ops.core.creation import zeros_like as zeros_like
from twinflow.ops.core.creation import ones_like as ones_like
from twinflow.ops.core.creation import fill as fill
from twinflow.ops.core.creation import range as range
from twinflow.ops.core.creation import linspace as linspace
def lin_space(start: TensorValue, stop: TensorValue, num: Any, name: str | None = ...) -> Tensor:
    r"""`num` numbers at equal distances from `start` to `stop`, both included.

    Args:
        start, stop: float scalars of one dtype. num: how many, at least 1.
        name: the name of the node in a graph.
    Example:
        tf.linspace(0., 1., 5)  # [0., 0.25, 0.5, 0.75, 1.]
    """
from twinflow.ops.core.shape import shape as shape
from twinflow.ops.core.shape import rank as rank
from twinflow.ops.core.shape import reshape as reshape
from twinflow.ops.core.shape import squeeze as squeeze
from twinflow.ops.core.shape import expand_dims as expand_dims
from twinflow.ops.core.size import size as size
from twinflow.ops.core.transposing import transpose as transpose
from twinflow.ops.core.transposing import invert_permutation as invert_permutation
from twinflow.ops.core.transposing import matrix_transpose as matrix_transpose
from twinflow.ops.core.broadcast import broadcast_to as broadcast_to
from twinflow.ops.core.joining import concat as concat
from twinflow.ops.core.joining import stack as stack
from twinflow.ops.core.joining import unstack as unstack
from twinflow.ops.core.joining import split as split
from twinflow.ops.core.joining import tile as tile
from twinflow.ops.arrays.grid import meshgrid as meshgrid
from twinflow.ops.core.slicing import newaxis as newaxis
from twinflow.ops.core.slicing import slice as slice
from twinflow.ops.core.slicing import strided_slice as strided_slice
from twinflow.ops.arrays.padding import pad as pad
from twinflow.ops.core.index import IndexedSlices as IndexedSlices
from twinflow.ops.core.index import gather as gather
from twinflow.ops.core.index import unsorted_segment_sum as unsorted_segment_sum
from twinflow.ops.core.indexed_slices import convert_to_tensor_or_indexed_slices as convert_to_tensor_or_indexed_slices
from twinflow.ops.sparse.tensor import SparseTensor as SparseTensor
from twinflow.ops.sparse.tensor import SparseTensorValue as SparseTensorValue
from twinflow.ops.sparse.tensor import sparse_placeholder as sparse_placeholder
from twinflow.ops.sparse.tensor import convert_to_tensor_or_sparse_tensor as convert_to_tensor_or_sparse_tensor
from twinflow.ops.sparse.math import sparse_add as sparse_add
def sparse_maximum(sp_a: Any, sp_b: Any, name: Any = ...) -> Any:
    r"""max(a, b), elementwise; an element that only one of them has is held against 0.

    Args:
        sp_a, sp_b: SparseTensors of one shape and real dtype, rows in order.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError: the shapes differ.
    """
def sparse_minimum(sp_a: Any, sp_b: Any, name: Any = ...) -> Any:
    r"""min(a, b), elementwise; an element that only one of them has is held against 0.

    Args:
        sp_a, sp_b: SparseTensors of one shape and real dtype, rows in order.
        name: the name of the node in a graph.
    Raises:
        InvalidArgumentError: the shapes differ.
    """
from twinflow.ops.sparse.softmax import sparse_softmax as sparse_softmax
from twinflow.ops.sparse.matmul import sparse_tensor_dense_matmul as sparse_tensor_dense_matmul
def sparse_reduce_max(sp_input: Any, axis: AxisValue | None = ..., keepdims: builtins.bool | None = ..., reduction_axes: Any = ..., keep_dims: builtins.bool | None = ...) -> Any:
    r"""The largest of the elements along axes.

    Args:
        sp_input: a SparseTensor of numbers, rows in order.
        axis: an int, a list of them, or None for all; in [-rank, rank).
        keepdims: keep the axes, with size 1.
        reduction_axes, keep_dims: the old names of `axis` and `keepdims`.
    Returns:
        A dense tensor; 0 where nothing is.
    Raises:
        InvalidArgumentError: there is no such axis.
    """
def sparse_reduce_sum(sp_input: Any, axis: AxisValue | None = ..., keepdims: Any = ..., reduction_axes: Any = ..., keep_dims: Any = ...) -> Any:
    r"""The sum of the elements along axes.

    Args:
        sp_input: a SparseTensor of numbers, rows in order.
        axis: an int, a list of them, or None for all; in [-rank, rank).
        keepdims: keep the axes, with size 1.
        reduction_axes, keep_dims: the old names of `axis` and `keepdims`.
    Returns:
        A dense tensor; 0 where nothing is.
    Raises:
        InvalidArgumentError: there is no such axis.
    """
def sparse_reduce_max_sparse(sp_input: Any, axis: AxisValue | None = ..., keepdims: Any = ..., reduction_axes: Any = ..., keep_dims: Any = ...) -> Any:
    r"""The largest of the elements along axes.

    Args:
        sp_input: a SparseTensor of numbers, rows in order.
        axis: an int, a list of them, or None for all; in [-rank, rank).
        keepdims: keep the axes, with size 1.
        reduction_axes, keep_dims: the old names of `axis` and `keepdims`.
    Returns:
        A SparseTensor.
    Raises:
        InvalidArgumentError: there is no such axis.
    """
def sparse_reduce_sum_sparse(sp_input: Any, axis: AxisValue | None = ..., keepdims: Any = ..., reduction_axes: Any = ..., keep_dims: Any = ...) -> Any:
    r"""The sum of the elements along axes.

    Args:
        sp_input: a SparseTensor of numbers, rows in order.
        axis: an int, a list of them, or None for all; in [-rank, rank).
        keepdims: keep the axes, with size 1.
        reduction_axes, keep_dims: the old names of `axis` and `keepdims`.
    Returns:
        A SparseTensor.
    Raises:
        InvalidArgumentError: there is no such axis.
    """
from twinflow.ops.sparse.dense import sparse_tensor_to_dense as sparse_tensor_to_dense
from twinflow.ops.sparse.dense import sparse_to_dense as sparse_to_dense
from twinflow.ops.sparse.order import sparse_reorder as sparse_reorder
from twinflow.ops.sparse.order import sparse_reshape as sparse_reshape
from twinflow.ops.sparse.order import sparse_transpose as sparse_transpose
from twinflow.ops.sparse.parts import sparse_concat as sparse_concat
from twinflow.ops.sparse.parts import sparse_slice as sparse_slice
from twinflow.ops.sparse.parts import sparse_split as sparse_split
from twinflow.ops.sparse.fill import sparse_fill_empty_rows as sparse_fill_empty_rows
from twinflow.ops.sparse.select import sparse_mask as sparse_mask
from twinflow.ops.sparse.select import sparse_merge as sparse_merge
from twinflow.ops.sparse.select import sparse_reset_shape as sparse_reset_shape
from twinflow.ops.sparse.select import sparse_retain as sparse_retain
from twinflow.ops.sparse.select import sparse_to_indicator as sparse_to_indicator
from twinflow.ops.sparse.serialize import deserialize_many_sparse as deserialize_many_sparse
from twinflow.ops.sparse.serialize import serialize_many_sparse as serialize_many_sparse
from twinflow.ops.sparse.serialize import serialize_sparse as serialize_sparse
from twinflow.ops.arrays.boolean_mask import boolean_mask as boolean_mask
from twinflow.ops.core.index_vectors import gather_nd as gather_nd
from twinflow.ops.core.index_vectors import scatter_nd as scatter_nd
from twinflow.ops.arrays.one_hot import one_hot as one_hot
from twinflow.ops.arrays.gather_batch import batch_gather as batch_gather
from twinflow.ops.arrays.gather_batch import sequence_mask as sequence_mask
def segment_sum(data: TensorValue, segment_ids: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the sum of the rows of `data` whose segment is i.

    Args:
        data: a numeric tensor of at least one axis.
        segment_ids: int32 or int64[rows], sorted, from 0. name: for a graph.
    Returns:
        A tensor[last id + 1, ...]; the rows of ids that are left out are 0.
    Raises:
        InvalidArgumentError: the ids are not sorted, negative, or not as many as rows.
    Example:
        tf.segment_sum([1, 2, 5], [0, 0, 1])  # [3, 5]
    """
def segment_mean(data: TensorValue, segment_ids: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the mean of the rows of `data` whose segment is i.

    Args:
        data: a numeric tensor of at least one axis.
        segment_ids: int32 or int64[rows], sorted, from 0. name: for a graph.
    Returns:
        A tensor[last id + 1, ...]; the rows of ids that are left out are 0.
    Raises:
        InvalidArgumentError: the ids are not sorted, negative, or not as many as rows.
    Example:
        tf.segment_mean([1, 2, 5], [0, 0, 1])  # [1, 5]
    """
def segment_prod(data: TensorValue, segment_ids: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the product of the rows of `data` whose segment is i.

    Args:
        data: a numeric tensor of at least one axis.
        segment_ids: int32 or int64[rows], sorted, from 0. name: for a graph.
    Returns:
        A tensor[last id + 1, ...]; the rows of ids that are left out are 1.
    Raises:
        InvalidArgumentError: the ids are not sorted, negative, or not as many as rows.
    Example:
        tf.segment_prod([1, 2, 5], [0, 0, 1])  # [2, 5]
    """
def segment_max(data: TensorValue, segment_ids: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the maximum of the rows of `data` whose segment is i.

    Args:
        data: a real tensor of at least one axis.
        segment_ids: int32 or int64[rows], sorted, from 0. name: for a graph.
    Returns:
        A tensor[last id + 1, ...]; the rows of ids that are left out are 0.
    Raises:
        InvalidArgumentError: the ids are not sorted, negative, or not as many as rows.
    Example:
        tf.segment_max([1, 2, 5], [0, 0, 1])  # [2, 5]
    """
def segment_min(data: TensorValue, segment_ids: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the minimum of the rows of `data` whose segment is i.

    Args:
        data: a real tensor of at least one axis.
        segment_ids: int32 or int64[rows], sorted, from 0. name: for a graph.
    Returns:
        A tensor[last id + 1, ...]; the rows of ids that are left out are 0.
    Raises:
        InvalidArgumentError: the ids are not sorted, negative, or not as many as rows.
    Example:
        tf.segment_min([1, 2, 5], [0, 0, 1])  # [1, 5]
    """
def unsorted_segment_mean(data: TensorValue, segment_ids: TensorValue, num_segments: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the mean of the rows whose segment is i.

    Args:
        data: a float tensor. num_segments: how many segments there are.
        segment_ids: int32 or int64 tensor whose shape begins that of `data`, each below
            num_segments; rows with a negative one are left out.
        name: the name of the node in a graph.
    Returns:
        A tensor[(num_segments,) + data.shape[segment_ids.ndim:]]; a segment without
        rows gives 0.
    Raises:
        InvalidArgumentError: a segment is out of range.
    Example:
        tf.unsorted_segment_mean([1., 2., 6.], [0, 1, 1], 2)  # [1., 4.]
    """
def unsorted_segment_prod(data: TensorValue, segment_ids: TensorValue, num_segments: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the product of the rows whose segment is i.

    Args:
        data: a numeric tensor. num_segments: how many segments there are.
        segment_ids: int32 or int64 tensor whose shape begins that of `data`, each below
            num_segments; rows with a negative one are left out.
        name: the name of the node in a graph.
    Returns:
        A tensor[(num_segments,) + data.shape[segment_ids.ndim:]]; a segment without
        rows gives 1.
    Raises:
        InvalidArgumentError: a segment is out of range.
    Example:
        tf.unsorted_segment_prod([1., 2., 6.], [0, 1, 1], 2)  # [1., 12.]
    """
def unsorted_segment_max(data: TensorValue, segment_ids: TensorValue, num_segments: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the maximum of the rows whose segment is i.

    Args:
        data: a real tensor. num_segments: how many segments there are.
        segment_ids: int32 or int64 tensor whose shape begins that of `data`, each below
            num_segments; rows with a negative one are left out.
        name: the name of the node in a graph.
    Returns:
        A tensor[(num_segments,) + data.shape[segment_ids.ndim:]]; a segment without
        rows gives the lowest number of its dtype.
    Raises:
        InvalidArgumentError: a segment is out of range.
    Example:
        tf.unsorted_segment_max([1., 2., 6.], [0, 1, 1], 2)  # [1., 6.]
    """
def unsorted_segment_min(data: TensorValue, segment_ids: TensorValue, num_segments: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the minimum of the rows whose segment is i.

    Args:
        data: a real tensor. num_segments: how many segments there are.
        segment_ids: int32 or int64 tensor whose shape begins that of `data`, each below
            num_segments; rows with a negative one are left out.
        name: the name of the node in a graph.
    Returns:
        A tensor[(num_segments,) + data.shape[segment_ids.ndim:]]; a segment without
        rows gives the highest number of its dtype.
    Raises:
        InvalidArgumentError: a segment is out of range.
    Example:
        tf.unsorted_segment_min([1., 2., 6.], [0, 1, 1], 2)  # [1., 2.]
    """
def unsorted_segment_sqrt_n(data: TensorValue, segment_ids: TensorValue, num_segments: TensorValue, name: str | None = ...) -> Tensor:
    r"""out[i] is the sum over the square root of the number of the rows whose segment is i.

    Args:
        data: a float tensor. num_segments: how many segments there are.
        segment_ids: int32 or int64 tensor whose shape begins that of `data`, each below
            num_segments; rows with a negative one are left out.
        name: the name of the node in a graph.
    Returns:
        A tensor[(num_segments,) + data.shape[segment_ids.ndim:]]; a segment without
        rows gives 0.
    Raises:
        InvalidArgumentError: a segment is out of range.
    Example:
        tf.unsorted_segment_sqrt_n([1., 2., 6.], [0, 1, 1], 2)  # [1., 5.66]
    """
from twinflow.ops.math.segment_sparse import sparse_segment_sum as sparse_segment_sum
from twinflow.ops.math.segment_sparse import sparse_segment_mean as sparse_segment_mean
from twinflow.ops.math.segment_sparse import sparse_segment_sqrt_n as sparse_segment_sqrt_n
from twinflow.ops.arrays.partition import dynamic_partition as dynamic_partition
from twinflow.ops.arrays.partition import dynamic_stitch as dynamic_stitch
from twinflow.ops.arrays.unique import unique as unique
from twinflow.ops.arrays.unique import unique_with_counts as unique_with_counts
from twinflow.ops.arrays.unique import setdiff1d as setdiff1d
from twinflow.ops.arrays.sorting import searchsorted as searchsorted
from twinflow.ops.arrays.rearrange import reverse as reverse
def reverse_v2(tensor: TensorValue, axis: AxisValue, name: str | None = ...) -> Tensor:
    r"""`tensor` with the order along some axes turned round.

    Args:
        tensor: a tensor. axis: int[n], which axes, each once.
        name: the name of the node in a graph.
    Example:
        tf.reverse([1, 2, 3], [0])  # [3, 2, 1]
    """
from twinflow.ops.arrays.rearrange import reverse_sequence as reverse_sequence
from twinflow.ops.arrays.rearrange import roll as roll
from twinflow.ops.arrays.rearrange import unravel_index as unravel_index
from twinflow.ops.arrays.space_batch import space_to_batch as space_to_batch
from twinflow.ops.arrays.space_batch import space_to_batch_nd as space_to_batch_nd
from twinflow.ops.arrays.space_batch import batch_to_space as batch_to_space
from twinflow.ops.arrays.space_batch import batch_to_space_nd as batch_to_space_nd
from twinflow.ops.arrays.space_batch import required_space_to_batch_paddings as required_space_to_batch_paddings
from twinflow.ops.nn.space_depth import depth_to_space as depth_to_space
from twinflow.ops.nn.space_depth import space_to_depth as space_to_depth
from twinflow.ops.nn.patches import extract_image_patches as extract_image_patches
from twinflow.ops.nn.patches import extract_volume_patches as extract_volume_patches
from twinflow.ops.arrays.passing import bitcast as bitcast
from twinflow.ops.arrays.passing import ensure_shape as ensure_shape
from twinflow.ops.arrays.passing import guarantee_const as guarantee_const
from twinflow.ops.arrays.passing import identity_n as identity_n
from twinflow.ops.core.shape_arithmetic import broadcast_dynamic_shape as broadcast_dynamic_shape
from twinflow.ops.core.shape_arithmetic import broadcast_static_shape as broadcast_static_shape
from twinflow.ops.core.shape_arithmetic import parallel_stack as parallel_stack
from twinflow.ops.core.shape_arithmetic import shape_n as shape_n
from twinflow.ops.sparse.edit_distance import edit_distance as edit_distance
from twinflow.ops.variables.cells import count_up_to as count_up_to
from twinflow.ops.queues.queue import QueueBase as QueueBase
from twinflow.ops.queues.accumulators import ConditionalAccumulatorBase as ConditionalAccumulatorBase
from twinflow.ops.queues.accumulators import ConditionalAccumulator as ConditionalAccumulator
from twinflow.ops.queues.accumulators import SparseConditionalAccumulator as SparseConditionalAccumulator
from twinflow.ops.queues.readers import ReaderBase as ReaderBase
from twinflow.ops.queues.readers import WholeFileReader as WholeFileReader
from twinflow.ops.queues.readers import IdentityReader as IdentityReader
from twinflow.ops.queues.readers import TextLineReader as TextLineReader
from twinflow.ops.queues.readers import FixedLengthRecordReader as FixedLengthRecordReader
from twinflow.ops.queues.readers import TFRecordReader as TFRecordReader
from twinflow.ops.queues.readers import LMDBReader as LMDBReader
from twinflow import python_io as python_io
from twinflow.ops.queues.kinds import FIFOQueue as FIFOQueue
from twinflow.ops.queues.kinds import PaddingFIFOQueue as PaddingFIFOQueue
from twinflow.ops.queues.kinds import PriorityQueue as PriorityQueue
from twinflow.ops.queues.kinds import RandomShuffleQueue as RandomShuffleQueue
def scatter_update(ref: Any, indices: TensorValue, updates: TensorValue, use_locking: Any = ..., name: str | None = ...) -> Any:
    r"""Change rows of a variable: ref[indices[i]] = updates[i].

    Args:
        ref: a variable. indices: int32 or int64 tensor, which rows.
        updates: a tensor[indices.shape + ref.shape[1:]], or a scalar.
        use_locking: has no effect. name: the name of the node in a graph.
    Returns:
        The new value in a graph; the variable in eager mode.
    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    Example:
        v = tf.Variable([4., 5., 1.], use_resource=True)
        tf.scatter_update(v, [0, 2], [1., 2.])  # [1., 5., 2.]
    """
def scatter_add(ref: Any, indices: TensorValue, updates: TensorValue, use_locking: Any = ..., name: str | None = ...) -> Any:
    r"""Change rows of a variable: ref[indices[i]] += updates[i].

    Args:
        ref: a variable. indices: int32 or int64 tensor, which rows.
        updates: a tensor[indices.shape + ref.shape[1:]], or a scalar.
        use_locking: has no effect. name: the name of the node in a graph.
    Returns:
        The new value in a graph; the variable in eager mode.
    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    Example:
        v = tf.Variable([4., 5., 1.], use_resource=True)
        tf.scatter_add(v, [0, 2], [1., 2.])  # [5., 5., 3.]
    """
def scatter_sub(ref: Any, indices: TensorValue, updates: TensorValue, use_locking: Any = ..., name: str | None = ...) -> Any:
    r"""Change rows of a variable: ref[indices[i]] -= updates[i].

    Args:
        ref: a variable. indices: int32 or int64 tensor, which rows.
        updates: a tensor[indices.shape + ref.shape[1:]], or a scalar.
        use_locking: has no effect. name: the name of the node in a graph.
    Returns:
        The new value in a graph; the variable in eager mode.
    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    Example:
        v = tf.Variable([4., 5., 1.], use_resource=True)
        tf.scatter_sub(v, [0, 2], [1., 2.])  # [3., 5., -1.]
    """
def scatter_mul(ref: Any, indices: TensorValue, updates: TensorValue, use_locking: Any = ..., name: str | None = ...) -> Any:
    r"""Change rows of a variable: ref[indices[i]] *= updates[i].

    Args:
        ref: a variable. indices: int32 or int64 tensor, which rows.
        updates: a tensor[indices.shape + ref.shape[1:]], or a scalar.
        use_locking: has no effect. name: the name of the node in a graph.
    Returns:
        The new value in a graph; the variable in eager mode.
    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    Example:
        v = tf.Variable([4., 5., 1.], use_resource=True)
        tf.scatter_mul(v, [0, 2], [1., 2.])  # [4., 5., 2.]
    """
def scatter_div(ref: Any, indices: TensorValue, updates: TensorValue, use_locking: Any = ..., name: str | None = ...) -> Any:
    r"""Change rows of a variable: ref[indices[i]] /= updates[i].

    Args:
        ref: a variable. indices: int32 or int64 tensor, which rows.
        updates: a tensor[indices.shape + ref.shape[1:]], or a scalar.
        use_locking: has no effect. name: the name of the node in a graph.
    Returns:
        The new value in a graph; the variable in eager mode.
    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    Example:
        v = tf.Variable([4., 5., 1.], use_resource=True)
        tf.scatter_div(v, [0, 2], [1., 2.])  # [4., 5., 0.5]
    """
def scatter_min(ref: Any, indices: TensorValue, updates: TensorValue, use_locking: Any = ..., name: str | None = ...) -> Any:
    r"""Change rows of a variable: ref[i] = min(ref[i], update).

    Args:
        ref: a variable. indices: int32 or int64 tensor, which rows.
        updates: a tensor[indices.shape + ref.shape[1:]], or a scalar.
        use_locking: has no effect. name: the name of the node in a graph.
    Returns:
        The new value in a graph; the variable in eager mode.
    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    Example:
        v = tf.Variable([4., 5., 1.], use_resource=True)
        tf.scatter_min(v, [0, 2], [1., 2.])  # [1., 5., 1.]
    """
def scatter_max(ref: Any, indices: TensorValue, updates: TensorValue, use_locking: Any = ..., name: str | None = ...) -> Any:
    r"""Change rows of a variable: ref[i] = max(ref[i], update).

    Args:
        ref: a variable. indices: int32 or int64 tensor, which rows.
        updates: a tensor[indices.shape + ref.shape[1:]], or a scalar.
        use_locking: has no effect. name: the name of the node in a graph.
    Returns:
        The new value in a graph; the variable in eager mode.
    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    Example:
        v = tf.Variable([4., 5., 1.], use_resource=True)
        tf.scatter_max(v, [0, 2], [1., 2.])  # [4., 5., 2.]
    """
def scatter_nd_update(ref: Any, indices: TensorValue, updates: TensorValue, use_locking: Any = ..., name: str | None = ...) -> Any:
    r"""Change a variable at index vectors: ref[indices] = updates.

    Args:
        ref: a variable.
        indices: int32 or int64[..., n]; each vector says where along the first n axes.
        updates: a tensor[indices.shape[:-1] + ref.shape[n:]].
        use_locking: has no effect. name: the name of the node in a graph.
    Returns:
        The new value in a graph; the variable in eager mode.
    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    Example:
        v = tf.Variable([4., 5., 1.], use_resource=True)
        tf.scatter_nd_update(v, [[0], [2]], [1., 2.])  # [1., 5., 2.]
    """
def scatter_nd_add(ref: Any, indices: TensorValue, updates: TensorValue, use_locking: Any = ..., name: str | None = ...) -> Any:
    r"""Change a variable at index vectors: ref[indices] += updates.

    Args:
        ref: a variable.
        indices: int32 or int64[..., n]; each vector says where along the first n axes.
        updates: a tensor[indices.shape[:-1] + ref.shape[n:]].
        use_locking: has no effect. name: the name of the node in a graph.
    Returns:
        The new value in a graph; the variable in eager mode.
    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    Example:
        v = tf.Variable([4., 5., 1.], use_resource=True)
        tf.scatter_nd_add(v, [[0], [2]], [1., 2.])  # [5., 5., 3.]
    """
def scatter_nd_sub(ref: Any, indices: TensorValue, updates: TensorValue, use_locking: Any = ..., name: str | None = ...) -> Any:
    r"""Change a variable at index vectors: ref[indices] -= updates.

    Args:
        ref: a variable.
        indices: int32 or int64[..., n]; each vector says where along the first n axes.
        updates: a tensor[indices.shape[:-1] + ref.shape[n:]].
        use_locking: has no effect. name: the name of the node in a graph.
    Returns:
        The new value in a graph; the variable in eager mode.
    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit.
    Example:
        v = tf.Variable([4., 5., 1.], use_resource=True)
        tf.scatter_nd_sub(v, [[0], [2]], [1., 2.])  # [3., 5., -1.]
    """
from twinflow.ops.variables.parts import batch_scatter_update as batch_scatter_update
from twinflow import manip as manip
from twinflow.ops.core.complex import complex as complex
from twinflow.ops.core.complex import real as real
from twinflow.ops.core.complex import imag as imag
def conj(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The complex conjugate a - ib of a + ib, elementwise.

    Args:
        x: a numeric tensor; a real one is returned as it is.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    Raises:
        TypeError: `x` is not numeric.
    Example:
        tf.conj(tf.constant([1 + 2j]))  # [1-2j]
    """
from twinflow.ops.core.magnitude import angle as angle
def add(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x + y, elementwise with broadcasting.

    Args:
        x, y: numeric or string tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.add([1, 2], 3)  # [4, 5]
    """
def subtract(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x - y, elementwise with broadcasting.

    Args:
        x, y: numeric tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def multiply(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x * y, elementwise with broadcasting.

    Args:
        x, y: numeric tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def realdiv(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x / y, elementwise with broadcasting.

    Args:
        x, y: float or complex tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def negative(x: TensorValue, name: str | None = None) -> Tensor:
    r"""-x, elementwise.

    Args:
        x: numeric tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def abs(x: TensorValue, name: str | None = None) -> Tensor:
    r"""|x|, float where x is complex, elementwise.

    Args:
        x: numeric tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def sign(x: TensorValue, name: str | None = None) -> Tensor:
    r"""-1, 0 or 1: the sign of x; x / |x| if complex, elementwise.

    Args:
        x: numeric tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def square(x: TensorValue, name: str | None = None) -> Tensor:
    r"""x * x, elementwise.

    Args:
        x: numeric tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def sqrt(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The square root of x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def rsqrt(x: TensorValue, name: str | None = None) -> Tensor:
    r"""1 / sqrt(x), elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def exp(x: TensorValue, name: str | None = None) -> Tensor:
    r"""e to the power x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def expm1(x: TensorValue, name: str | None = None) -> Tensor:
    r"""exp(x) - 1, exact for small x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def log(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The natural logarithm of x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def log1p(x: TensorValue, name: str | None = None) -> Tensor:
    r"""log(1 + x), exact for small x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def pow(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x to the power y, elementwise with broadcasting.

    Args:
        x, y: numeric tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.pow(3., 2.)  # 9.0
    """
def maximum(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""The larger of x and y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def minimum(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""The smaller of x and y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def squared_difference(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""(x - y) ** 2, elementwise with broadcasting.

    Args:
        x, y: numeric tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def reciprocal(x: TensorValue, name: str | None = None) -> Tensor:
    r"""1 / x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def tanh(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The hyperbolic tangent, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def sigmoid(x: TensorValue, name: str | None = None) -> Tensor:
    r"""1 / (1 + exp(-x)), elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.ops.core.elementwise import add_n as add_n
from twinflow.ops.math.scalar_mul import scalar_mul as scalar_mul
from twinflow.ops.core.division import div as div
from twinflow.ops.core.division import divide as divide
def truediv(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x / y as in Python 3: ints are converted to floats first.

    Args:
        x, y: numeric tensors of one dtype. name: the name of the node in a graph.
    Returns:
        The quotient: float64 for int32 and int64, float32 for smaller ints, else the
        dtype of the inputs.
    Raises:
        TypeError: the dtypes differ.
    Example:
        tf.truediv(1, 2)  # 0.5
    """
def floordiv(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""floor(x / y), elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.floordiv(-7, 2)  # -4
    """
def floor_div(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""floor(x / y), elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def mod(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x - floor(x / y) * y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.floormod(-7, 3)  # 2
    """
def floormod(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x - floor(x / y) * y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.floormod(-7, 3)  # 2
    """
def sin(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The sine of x radians, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def cos(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The cosine of x radians, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def tan(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The tangent of x radians, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def asin(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The angle in radians whose sine is x, in [-1, 1], elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def acos(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The angle in radians whose cosine is x, in [-1, 1], elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def atan(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The angle in radians whose tangent is x, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def atan2(y: TensorValue, x: TensorValue, name: str | None = None) -> Tensor:
    r"""The angle of the point (x, y) in radians, elementwise with broadcasting.

    Args:
        y, x: float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def sinh(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The hyperbolic sine, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def cosh(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The hyperbolic cosine, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def asinh(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The inverse of the hyperbolic sine, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def acosh(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The inverse of the hyperbolic cosine, for x >= 1, elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def atanh(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The inverse of the hyperbolic tangent, in (-1, 1), elementwise.

    Args:
        x: float or complex tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def floor(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The largest whole number <= x, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def ceil(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The smallest whole number >= x, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.ops.core.rounding import round as round
def rint(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The nearest whole number, halves to even, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def is_nan(x: TensorValue, name: str | None = None) -> Tensor:
    r"""Whether x is not a number, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A bool tensor of the shape of `x`.
    """
def is_inf(x: TensorValue, name: str | None = None) -> Tensor:
    r"""Whether x is infinite, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A bool tensor of the shape of `x`.
    """
def is_finite(x: TensorValue, name: str | None = None) -> Tensor:
    r"""Whether x is a finite number, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A bool tensor of the shape of `x`.
    """
from twinflow.ops.core.rounding import log_sigmoid as log_sigmoid
def erf(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The error function, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def erfc(x: TensorValue, name: str | None = None) -> Tensor:
    r"""1 - erf(x), elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
def digamma(x: TensorValue, name: str | None = None) -> Tensor:
    r"""The derivative of lgamma, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.ops.special.gamma import lbeta as lbeta
def lgamma(x: TensorValue, name: str | None = None) -> Tensor:
    r"""log |Gamma(x)|, elementwise.

    Args:
        x: float tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.ops.special.gamma import polygamma as polygamma
from twinflow.ops.special.gamma import zeta as zeta
from twinflow.ops.math.counting import bincount as bincount
from twinflow.ops.math.counting import histogram_fixed_width as histogram_fixed_width
from twinflow.ops.math.counting import histogram_fixed_width_bins as histogram_fixed_width_bins
from twinflow.ops.math.confusion_matrix import confusion_matrix as confusion_matrix
from twinflow.ops.math.polynomial import accumulate_n as accumulate_n
from twinflow.ops.special.igamma import betainc as betainc
from twinflow.ops.special.igamma import igamma as igamma
from twinflow.ops.special.igamma import igammac as igammac
from twinflow.ops.math.truncation import div_no_nan as div_no_nan
def truncatediv(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x / y, of ints cut off to a whole number, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.truncatediv(-7, 2)  # -3
    """
def truncatemod(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""The remainder of truncatediv, with the sign of x, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.truncatemod(-7, 3)  # -1
    """
def equal(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x == y, elementwise with broadcasting.

    Args:
        x, y: numeric tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.equal([1, 2], [2, 2])  # [False, True]
    """
def not_equal(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x != y, elementwise with broadcasting.

    Args:
        x, y: numeric tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.not_equal([1, 2], [2, 2])  # [True, False]
    """
def less(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x < y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.less([1, 2], [2, 2])  # [True, False]
    """
def less_equal(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x <= y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.less_equal([1, 2], [2, 2])  # [True, True]
    """
def greater(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x > y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.greater([1, 2], [2, 2])  # [False, False]
    """
def greater_equal(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x >= y, elementwise with broadcasting.

    Args:
        x, y: int or float tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A bool tensor, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    Example:
        tf.greater_equal([1, 2], [2, 2])  # [False, True]
    """
from twinflow.ops.core.compare import where as where
def logical_and(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x and y, elementwise with broadcasting.

    Args:
        x, y: bool tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def logical_or(x: TensorValue, y: TensorValue, name: str | None = None) -> Tensor:
    r"""x or y, elementwise with broadcasting.

    Args:
        x, y: bool tensors of one dtype; Python numbers take the dtype of the tensor.
        name: the name of the node in a graph.
    Returns:
        A tensor of their dtype, of the broadcast shape.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): the shapes do not fit.
    """
def logical_not(x: TensorValue, name: str | None = None) -> Tensor:
    r"""not x, elementwise.

    Args:
        x: bool tensor of any shape.
        name: the name of the node in a graph.
    Returns:
        A tensor like `x`.
    """
from twinflow.ops.core.compare import logical_xor as logical_xor
from twinflow.ops.math.clip import clip_by_value as clip_by_value
from twinflow.ops.math.clip import clip_by_norm as clip_by_norm
from twinflow.ops.math.clip import clip_by_average_norm as clip_by_average_norm
from twinflow.ops.math.clip import clip_by_global_norm as clip_by_global_norm
from twinflow.ops.math.clip import global_norm as global_norm
from twinflow.ops.math.clip import saturate_cast as saturate_cast
def reduce_sum(input_tensor: TensorValue, axis: AxisValue | None = ..., keepdims: builtins.bool | None = ..., name: str | None = ..., reduction_indices: AxisValue | None = ..., keep_dims: builtins.bool | None = ...) -> Tensor:
    r"""The sum of the elements along axes.

    Args:
        input_tensor: numeric tensor of any shape.
        axis: an int, several ints, an integer tensor, or None for all axes.
        keepdims: keep the reduced axes with size 1.
        name: the name of the node in a graph.
        reduction_indices, keep_dims: the older names of axis and keepdims.
    Returns:
        A tensor of the same dtype.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.reduce_sum([[1, 2], [3, 4]], 1)  # [3, 7]
    """
def reduce_mean(input_tensor: TensorValue, axis: AxisValue | None = ..., keepdims: Any = ..., name: str | None = ..., reduction_indices: AxisValue | None = ..., keep_dims: Any = ...) -> Tensor:
    r"""The mean of the elements along axes.

    Args:
        input_tensor: numeric tensor of any shape.
        axis: an int, several ints, an integer tensor, or None for all axes.
        keepdims: keep the reduced axes with size 1.
        name: the name of the node in a graph.
        reduction_indices, keep_dims: the older names of axis and keepdims.
    Returns:
        A tensor of the same dtype.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.reduce_mean([1., 2., 6.])  # 3.0
    """
def reduce_prod(input_tensor: TensorValue, axis: AxisValue | None = ..., keepdims: Any = ..., name: str | None = ..., reduction_indices: AxisValue | None = ..., keep_dims: Any = ...) -> Tensor:
    r"""The product of the elements along axes.

    Args:
        input_tensor: numeric tensor of any shape.
        axis: an int, several ints, an integer tensor, or None for all axes.
        keepdims: keep the reduced axes with size 1.
        name: the name of the node in a graph.
        reduction_indices, keep_dims: the older names of axis and keepdims.
    Returns:
        A tensor of the same dtype.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.reduce_prod([2., 3.])  # 6.0
    """
def reduce_max(input_tensor: TensorValue, axis: AxisValue | None = ..., keepdims: Any = ..., name: str | None = ..., reduction_indices: AxisValue | None = ..., keep_dims: Any = ...) -> Tensor:
    r"""The maximum of the elements along axes.

    Args:
        input_tensor: numeric tensor of any shape.
        axis: an int, several ints, an integer tensor, or None for all axes.
        keepdims: keep the reduced axes with size 1.
        name: the name of the node in a graph.
        reduction_indices, keep_dims: the older names of axis and keepdims.
    Returns:
        A tensor of the same dtype.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.reduce_max([1, 3, 2])  # 3
    """
def reduce_min(input_tensor: TensorValue, axis: AxisValue | None = ..., keepdims: Any = ..., name: str | None = ..., reduction_indices: AxisValue | None = ..., keep_dims: Any = ...) -> Tensor:
    r"""The minimum of the elements along axes.

    Args:
        input_tensor: numeric tensor of any shape.
        axis: an int, several ints, an integer tensor, or None for all axes.
        keepdims: keep the reduced axes with size 1.
        name: the name of the node in a graph.
        reduction_indices, keep_dims: the older names of axis and keepdims.
    Returns:
        A tensor of the same dtype.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.reduce_min([1, 3, 2])  # 1
    """
def reduce_any(input_tensor: TensorValue, axis: AxisValue | None = ..., keepdims: Any = ..., name: str | None = ..., reduction_indices: AxisValue | None = ..., keep_dims: Any = ...) -> Tensor:
    r"""The logical or of the elements along axes.

    Args:
        input_tensor: bool tensor of any shape.
        axis: an int, several ints, an integer tensor, or None for all axes.
        keepdims: keep the reduced axes with size 1.
        name: the name of the node in a graph.
        reduction_indices, keep_dims: the older names of axis and keepdims.
    Returns:
        A tensor of the same dtype.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.reduce_any([True, False])  # True
    """
def reduce_all(input_tensor: TensorValue, axis: AxisValue | None = ..., keepdims: Any = ..., name: str | None = ..., reduction_indices: AxisValue | None = ..., keep_dims: Any = ...) -> Tensor:
    r"""The logical and of the elements along axes.

    Args:
        input_tensor: bool tensor of any shape.
        axis: an int, several ints, an integer tensor, or None for all axes.
        keepdims: keep the reduced axes with size 1.
        name: the name of the node in a graph.
        reduction_indices, keep_dims: the older names of axis and keepdims.
    Returns:
        A tensor of the same dtype.
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): there is no such axis.
    Example:
        tf.reduce_all([True, False])  # False
    """
from twinflow.ops.core.reduction import reduce_logsumexp as reduce_logsumexp
from twinflow.ops.core.reduction import count_nonzero as count_nonzero
from twinflow.ops.math.positions import argmax as argmax
from twinflow.ops.math.positions import argmin as argmin
from twinflow.ops.math.positions import arg_max as arg_max
from twinflow.ops.math.positions import arg_min as arg_min
from twinflow.ops.core.scan import cumsum as cumsum
from twinflow.ops.core.scan import cumprod as cumprod
from twinflow import spectral as spectral
from twinflow.ops.core.product import matmul as matmul
from twinflow.ops.core.product import sparse_matmul as sparse_matmul
from twinflow.ops.matrix.diagonal import matrix_diag as matrix_diag
from twinflow.ops.matrix.diagonal import matrix_diag_part as matrix_diag_part
from twinflow.ops.matrix.diagonal import matrix_set_diag as matrix_set_diag
from twinflow.ops.matrix.diagonal import trace as trace
from twinflow.ops.matrix.diagonal import eye as eye
from twinflow.ops.matrix.band import matrix_band_part as matrix_band_part
from twinflow.ops.matrix.inverse import matrix_inverse as matrix_inverse
from twinflow.ops.matrix.inverse import matrix_determinant as matrix_determinant
from twinflow.ops.matrix.solve import matrix_solve as matrix_solve
from twinflow.ops.matrix.solve import matrix_triangular_solve as matrix_triangular_solve
from twinflow.ops.matrix.cholesky import cholesky as cholesky
from twinflow.ops.matrix.cholesky import cholesky_solve as cholesky_solve
from twinflow.ops.matrix.qr import qr as qr
from twinflow.ops.matrix.svd import svd as svd
from twinflow.ops.matrix.eigen import self_adjoint_eig as self_adjoint_eig
from twinflow.ops.matrix.eigen import self_adjoint_eigvals as self_adjoint_eigvals
from twinflow.ops.matrix.least_squares import matrix_solve_ls as matrix_solve_ls
from twinflow.ops.matrix.norm import norm as norm
from twinflow.ops.matrix.tensor_diag import diag as diag
from twinflow.ops.matrix.tensor_diag import diag_part as diag_part
from twinflow.ops.matrix.tensor_diag import cross as cross
from twinflow.ops.matrix.contraction import einsum as einsum
from twinflow.ops.matrix.contraction import tensordot as tensordot
def fft(input: TensorValue, name: str | None = ...) -> Tensor:
    r"""The Fourier transform, of the last axis.

    y[k] = sum over j of input[j] exp(-2 pi i j k / n), along each of the axes

    Args:
        input: complex[..., n]. name: the name of the node in a graph.
    Returns:
        a tensor like `input`
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): it has not so many axes.
    Example:
        tf.fft(tf.constant([1 + 0j, 2 + 0j]))  # [3+0j, -1+0j]
    """
def fft2d(input: TensorValue, name: str | None = ...) -> Tensor:
    r"""The Fourier transform, of the last two axes.

    y[k] = sum over j of input[j] exp(-2 pi i j k / n), along each of the axes

    Args:
        input: complex[..., m, n]. name: the name of the node in a graph.
    Returns:
        a tensor like `input`
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): it has not so many axes.
    Example:
        tf.fft2d(tf.ones([1, 2], tf.complex64))  # [[2+0j, 0j]]
    """
def fft3d(input: TensorValue, name: str | None = ...) -> Tensor:
    r"""The Fourier transform, of the last three axes.

    y[k] = sum over j of input[j] exp(-2 pi i j k / n), along each of the axes

    Args:
        input: complex[..., l, m, n]. name: the name of the node in a graph.
    Returns:
        a tensor like `input`
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): it has not so many axes.
    Example:
        tf.fft3d(tf.ones([1, 1, 2], tf.complex64))  # [[[2+0j, 0j]]]
    """
def ifft(input: TensorValue, name: str | None = ...) -> Tensor:
    r"""The inverse Fourier transform, of the last axis.

    y[k] = sum over j of input[j] exp(2 pi i j k / n), divided by n

    Args:
        input: complex[..., n]. name: the name of the node in a graph.
    Returns:
        a tensor like `input`
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): it has not so many axes.
    Example:
        tf.ifft(tf.constant([3 + 0j, -1 + 0j]))  # [1+0j, 2+0j]
    """
def ifft2d(input: TensorValue, name: str | None = ...) -> Tensor:
    r"""The inverse Fourier transform, of the last two axes.

    y[k] = sum over j of input[j] exp(2 pi i j k / n), divided by n

    Args:
        input: complex[..., m, n]. name: the name of the node in a graph.
    Returns:
        a tensor like `input`
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): it has not so many axes.
    Example:
        tf.ifft2d(tf.ones([1, 2], tf.complex64))  # [[1+0j, 0j]]
    """
def ifft3d(input: TensorValue, name: str | None = ...) -> Tensor:
    r"""The inverse Fourier transform, of the last three axes.

    y[k] = sum over j of input[j] exp(2 pi i j k / n), divided by n

    Args:
        input: complex[..., l, m, n]. name: the name of the node in a graph.
    Returns:
        a tensor like `input`
    Raises:
        InvalidArgumentError (eager) or ValueError (graph): it has not so many axes.
    Example:
        tf.ifft3d(tf.ones([1, 1, 2], tf.complex64))  # [[[1+0j, 0j]]]
    """
from twinflow.ops.random.draws import random_uniform as random_uniform
from twinflow.ops.random.draws import random_normal as random_normal
from twinflow.ops.random.draws import truncated_normal as truncated_normal
from twinflow.ops.random.choice import multinomial as multinomial
from twinflow.ops.random.choice import random_crop as random_crop
from twinflow.ops.random.choice import random_shuffle as random_shuffle
from twinflow.ops.random.gamma import random_gamma as random_gamma
from twinflow.ops.random.gamma import random_poisson as random_poisson
from twinflow.ops.random.streams import get_seed as get_seed
from twinflow.ops.random.streams import set_random_seed as set_random_seed
from twinflow.ops.random.initializers_plain import Zeros as zeros_initializer
from twinflow.ops.random.initializers_plain import Ones as ones_initializer
from twinflow.ops.random.initializers_plain import Constant as constant_initializer
from twinflow.ops.random.initializers_plain import RandomNormal as random_normal_initializer
from twinflow.ops.random.initializers_plain import RandomUniform as random_uniform_initializer
from twinflow.ops.random.initializers_plain import TruncatedNormal as truncated_normal_initializer
from twinflow.ops.random.initializers import GlorotUniform as glorot_uniform_initializer
from twinflow.ops.random.initializers import GlorotNormal as glorot_normal_initializer
from twinflow.ops.random.initializers import VarianceScaling as variance_scaling_initializer
from twinflow.ops.random.initializers import Orthogonal as orthogonal_initializer
from twinflow.ops.random.initializers import UniformUnitScaling as uniform_unit_scaling_initializer
from twinflow.ops.arrays.placeholder import placeholder as placeholder
from twinflow.ops.arrays.placeholder import placeholder_with_default as placeholder_with_default
from twinflow.ops.variables.state import assign as assign
from twinflow.ops.variables.state import assign_add as assign_add
from twinflow.ops.variables.state import assign_sub as assign_sub
from twinflow.ops.core.no_op import no_op as no_op
from twinflow.ops.variables.kinds import Variable as Variable
from twinflow.ops.variables.collections import GraphKeys as GraphKeys
from twinflow.ops.variables.collections import global_variables as global_variables
from twinflow.ops.variables.collections import trainable_variables as trainable_variables
from twinflow.ops.variables.collections import local_variables as local_variables
from twinflow.ops.variables.collections import global_variables_initializer as global_variables_initializer
from twinflow.ops.variables.collections import local_variables_initializer as local_variables_initializer
from twinflow.ops.variables.collections import variables_initializer as variables_initializer
def initialize_all_variables() -> Any:
    r"""An op that initialises all global variables; None in eager mode.
    """
from twinflow.ops.variables.collections import model_variables as model_variables
from twinflow.ops.variables.collections import moving_average_variables as moving_average_variables
def all_variables(scope: Any = ...) -> Any:
    r"""The variables of the current graph; an empty list in eager mode.
    """
def initialize_variables(var_list: Any, name: str | None = ...) -> Any:
    r"""An op that gives the variables their initial values; None in eager mode.
    """
def initialize_local_variables() -> Any:
    r"""An op that initialises all local variables; None in eager mode.
    """
from twinflow.autodiff.tape import GradientTape as GradientTape
from twinflow.autodiff.registry import RegisterGradient as RegisterGradient
from twinflow.autodiff.registry import NotDifferentiable as NotDifferentiable
def NoGradient(op_type: Any) -> None:
    r"""Give a name to having no gradient; see `RegisterGradient` for the errors.
    """
from twinflow.autodiff.custom_gradient import custom_gradient as custom_gradient
from twinflow.graph.gradients import gradients as gradients
from twinflow.graph.gradients import AggregationMethod as AggregationMethod
from twinflow.graph.hessians import hessians as hessians
from twinflow import test as test
from twinflow.base.convert import register_tensor_conversion_function as register_tensor_conversion_function
from twinflow.graph.scopes import add_to_collections as add_to_collections
from twinflow.graph.scopes import op_scope as op_scope
from twinflow.graph.scopes import colocate_with as colocate_with
from twinflow.graph.scopes import container as container
from twinflow.graph.scopes import init_scope as init_scope
from twinflow.graph.scopes import name_scope as name_scope
from twinflow.graph.scopes import device as device
from twinflow.graph.scopes import control_dependencies as control_dependencies
from twinflow.graph.scopes import group as group
from twinflow.graph.scopes import tuple as tuple
from twinflow.graph.scopes import add_to_collection as add_to_collection
from twinflow.graph.scopes import get_collection as get_collection
from twinflow.graph.scopes import get_collection_ref as get_collection_ref
from twinflow.ops.variables.creators import enable_resource_variables as enable_resource_variables
from twinflow.ops.variables.creators import disable_resource_variables as disable_resource_variables
from twinflow.ops.variables.creators import variable_creator_scope as variable_creator_scope
from twinflow import compat as compat
def load_library(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (compiled plugins). There is no C library behind twinflow: write the op in Python with tf.py_func or tf.custom_gradient.
    """
def load_op_library(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (compiled plugins). There is no C library behind twinflow: write the op in Python with tf.py_func or tf.custom_gradient.
    """
def load_file_system_library(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (compiled plugins). There is no C library behind twinflow: write the op in Python with tf.py_func or tf.custom_gradient.
    """
from twinflow.graph.graph import Graph as Graph
from twinflow.graph.node import Node as Operation
from twinflow.graph.cond import cond as cond
from twinflow.graph.while_loop import while_loop as while_loop
from twinflow.ops.tensor_array.arrays import TensorArray as TensorArray
from twinflow.graph.map_fn import map_fn as map_fn
from twinflow.graph.map_fn import foldl as foldl
from twinflow.graph.map_fn import foldr as foldr
from twinflow.graph.map_fn import scan as scan
from twinflow.graph.case import case as case
from twinflow.graph.variable_scope import variable_scope as variable_scope
from twinflow.graph.variable_scope import VariableScope as VariableScope
from twinflow.graph.variable_scope import get_variable as get_variable
from twinflow.graph.variable_scope import get_local_variable as get_local_variable
from twinflow.graph.variable_scope import get_variable_scope as get_variable_scope
from twinflow.graph.variable_scope import variable_op_scope as variable_op_scope
from twinflow.graph.variable_scope import no_regularizer as no_regularizer
from twinflow.graph.variable_store import AUTO_REUSE as AUTO_REUSE
from twinflow.graph.variable_store import VariableAggregation as VariableAggregation
from twinflow.graph.variable_store import VariableSynchronization as VariableSynchronization
from twinflow.graph.template import make_template as make_template
from twinflow.graph.partitioners import fixed_size_partitioner as fixed_size_partitioner
from twinflow.graph.partitioners import min_max_variable_partitioner as min_max_variable_partitioner
from twinflow.graph.partitioners import variable_axis_size_partitioner as variable_axis_size_partitioner
from twinflow.graph.partitioners import create_partitioned_variables as create_partitioned_variables
from twinflow import graph_util as graph_util
from twinflow.graph.graph_def.import_def import import_graph_def as import_graph_def
from twinflow.graph.defaults import get_default_graph as get_default_graph
from twinflow.graph.defaults import reset_default_graph as reset_default_graph
from twinflow.graph.defaults import enable_eager_execution as enable_eager_execution
from twinflow.graph.defaults import executing_eagerly as executing_eagerly
from twinflow.ops.debugging.checks import Assert as Assert
from twinflow.ops.debugging.checks import assert_equal as assert_equal
def assert_none_equal(x: TensorValue, y: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x != y for every element.

    Args:
        x, y: tensors of one numeric dtype that broadcast to each other.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x, y = [1, 2], [3, 4]
        with tf.control_dependencies([tf.assert_none_equal(x, y)]): out = tf.identity(x)
    """
def assert_less(x: TensorValue, y: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x < y for every element.

    Args:
        x, y: tensors of one numeric dtype that broadcast to each other.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x, y = [1, 2], [3, 4]
        with tf.control_dependencies([tf.assert_less(x, y)]): out = tf.identity(x)
    """
def assert_less_equal(x: TensorValue, y: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x <= y for every element.

    Args:
        x, y: tensors of one numeric dtype that broadcast to each other.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x, y = [1, 2], [3, 4]
        with tf.control_dependencies([tf.assert_less_equal(x, y)]): out = tf.identity(x)
    """
def assert_greater(x: TensorValue, y: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x > y for every element.

    Args:
        x, y: tensors of one numeric dtype that broadcast to each other.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x, y = [3, 4], [1, 2]
        with tf.control_dependencies([tf.assert_greater(x, y)]): out = tf.identity(x)
    """
def assert_greater_equal(x: TensorValue, y: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x >= y for every element.

    Args:
        x, y: tensors of one numeric dtype that broadcast to each other.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x, y = [3, 4], [1, 2]
        with tf.control_dependencies([tf.assert_greater_equal(x, y)]): out = tf.identity(x)
    """
from twinflow.ops.debugging.checks import assert_near as assert_near
def assert_negative(x: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x < 0 for every element.

    Args:
        x: a numeric tensor.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x = [-1, -2]
        with tf.control_dependencies([tf.assert_negative(x)]): out = tf.identity(x)
    """
def assert_positive(x: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x > 0 for every element.

    Args:
        x: a numeric tensor.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x = [1, 2]
        with tf.control_dependencies([tf.assert_positive(x)]): out = tf.identity(x)
    """
def assert_non_negative(x: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x >= 0 for every element.

    Args:
        x: a numeric tensor.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x = [1, 2]
        with tf.control_dependencies([tf.assert_non_negative(x)]): out = tf.identity(x)
    """
def assert_non_positive(x: TensorValue, data: TensorValue | None = ..., summarize: Any = ..., message: str | None = ..., name: str | None = ...) -> Any:
    r"""Fail unless x <= 0 for every element.

    Args:
        x: a numeric tensor.
        data: a list of what to show in place of the message and first values.
        summarize: how many values of each tensor to show; see tf.Assert.
        message: a text to begin the message with. name: the name scope in a graph.
    Returns:
        The op in a graph; None in eager mode.
    Raises:
        InvalidArgumentError: it does not hold (in a graph: when the op runs).
    Example:
        x = [-1, -2]
        with tf.control_dependencies([tf.assert_non_positive(x)]): out = tf.identity(x)
    """
from twinflow.ops.debugging.static import assert_rank as assert_rank
from twinflow.ops.debugging.static import assert_rank_at_least as assert_rank_at_least
from twinflow.ops.debugging.static import assert_rank_in as assert_rank_in
from twinflow.ops.debugging.static import assert_integer as assert_integer
from twinflow.ops.debugging.static import assert_type as assert_type
from twinflow.ops.debugging.static import assert_scalar as assert_scalar
from twinflow.ops.debugging.static import assert_proper_iterable as assert_proper_iterable
from twinflow.ops.debugging.static import assert_same_float_dtype as assert_same_float_dtype
from twinflow.ops.debugging.numbers import is_numeric_tensor as is_numeric_tensor
from twinflow.ops.debugging.numbers import is_non_decreasing as is_non_decreasing
from twinflow.ops.debugging.numbers import is_strictly_increasing as is_strictly_increasing
from twinflow.ops.debugging.numbers import verify_tensor_all_finite as verify_tensor_all_finite
from twinflow.ops.debugging.numbers import add_check_numerics_ops as add_check_numerics_ops
from twinflow.ops.debugging.numbers import check_numerics as check_numerics
from twinflow.ops.variables.initialized import is_variable_initialized as is_variable_initialized
from twinflow.ops.variables.initialized import report_uninitialized_variables as report_uninitialized_variables
from twinflow.ops.variables.initialized import assert_variables_initialized as assert_variables_initialized
from twinflow.ops.debugging.print import Print as Print
from twinflow.ops.debugging.print import print_v2 as print
from twinflow.ops.debugging.print import timestamp as timestamp
from twinflow.ops.strings.basic import string_join as string_join
from twinflow.ops.strings.basic import string_strip as string_strip
from twinflow.ops.strings.basic import substr as substr
from twinflow.ops.strings.basic import reduce_join as reduce_join
from twinflow.ops.strings.split import string_split as string_split
from twinflow.ops.strings.rewrite import regex_replace as regex_replace
from twinflow.ops.strings.hash import string_to_hash_bucket as string_to_hash_bucket
from twinflow.ops.strings.hash import string_to_hash_bucket_fast as string_to_hash_bucket_fast
from twinflow.ops.strings.hash import string_to_hash_bucket_strong as string_to_hash_bucket_strong
from twinflow.ops.strings.number import string_to_number as string_to_number
from twinflow.ops.strings.number import as_string as as_string
from twinflow.ops.tables.initialized import tables_initializer as tables_initializer
def initialize_all_tables(name: str | None = ...) -> Any:
    r"""An op that fills all lookup tables; None in eager mode, where they are filled.
    """
from twinflow.ops.strings.csv import decode_csv as decode_csv
from twinflow.ops.files.contents import read_file as read_file
from twinflow.ops.files.contents import write_file as write_file
from twinflow.ops.files.contents import matching_files as matching_files
from twinflow.ops.strings.serialize import serialize_tensor as serialize_tensor
from twinflow.ops.strings.serialize import parse_tensor as parse_tensor
from twinflow.formats.tensor_proto import make_tensor_proto as make_tensor_proto
from twinflow.formats.tensor_proto import make_ndarray as make_ndarray
from twinflow.formats.protos import AttrValue as AttrValue
from twinflow.formats.protos import Event as Event
from twinflow.formats.protos import GraphDef as GraphDef
from twinflow.formats.protos import HistogramProto as HistogramProto
from twinflow.formats.protos import LogMessage as LogMessage
from twinflow.formats.protos import MetaGraphDef as MetaGraphDef
from twinflow.formats.protos import NameAttrList as NameAttrList
from twinflow.formats.protos import NodeDef as NodeDef
from twinflow.formats.protos import SessionLog as SessionLog
from twinflow.formats.protos import Summary as Summary
from twinflow.formats.protos import SummaryMetadata as SummaryMetadata
from twinflow.formats.protos import TensorInfo as TensorInfo
from twinflow.formats.protos import ConfigProto as ConfigProto
from twinflow.formats.protos import GPUOptions as GPUOptions
from twinflow.formats.protos import GraphOptions as GraphOptions
from twinflow.formats.protos import OptimizerOptions as OptimizerOptions
from twinflow.formats.protos import RunOptions as RunOptions
from twinflow.formats.protos import RunMetadata as RunMetadata
from twinflow.base.versions import VERSION as VERSION
from twinflow.base.versions import GIT_VERSION as GIT_VERSION
from twinflow.base.versions import COMPILER_VERSION as COMPILER_VERSION
from twinflow.base.versions import CXX11_ABI_FLAG as CXX11_ABI_FLAG
from twinflow.base.versions import MONOLITHIC_BUILD as MONOLITHIC_BUILD
from twinflow.base.versions import GRAPH_DEF_VERSION as GRAPH_DEF_VERSION
from twinflow.base.versions import GRAPH_DEF_VERSION_MIN_CONSUMER as GRAPH_DEF_VERSION_MIN_CONSUMER
from twinflow.base.versions import GRAPH_DEF_VERSION_MIN_PRODUCER as GRAPH_DEF_VERSION_MIN_PRODUCER
from twinflow.ops.strings.bytes import encode_base64 as encode_base64
from twinflow.ops.strings.bytes import decode_base64 as decode_base64
from twinflow.ops.strings.bytes import decode_raw as decode_raw
from twinflow.ops.strings.bytes import decode_compressed as decode_compressed
from twinflow import debugging as debugging
from twinflow.verification.functions import verify as verify
from twinflow import strings as strings
from twinflow import io as io
from twinflow import gfile as gfile
from twinflow import logging as logging
from twinflow import app as app
from twinflow.compat import flags as flags
from twinflow import sysconfig as sysconfig
from twinflow import resource_loader as resource_loader
from twinflow.execute.session import Session as Session
from twinflow.execute.session import InteractiveSession as InteractiveSession
from twinflow.execute.session import get_default_session as get_default_session
from twinflow.execute.session_handles import get_session_handle as get_session_handle
from twinflow.execute.session_handles import get_session_tensor as get_session_tensor
from twinflow.execute.session_handles import delete_session_tensor as delete_session_tensor
from twinflow.execute.function import function as function
from twinflow.execute.py_func import py_func as py_func
from twinflow.explaining.pictures import picture as picture
from twinflow.interchange.arrays import from_dlpack as from_dlpack
from twinflow.interchange.arrays import to_dlpack as to_dlpack
from twinflow.interchange.jax_functions import from_jax as from_jax
from twinflow.interchange.to_jax import to_jax as to_jax
from twinflow.interchange.from_torch import from_torch as from_torch
from twinflow.interchange.to_torch import to_torch as to_torch
from twinflow.explaining.explain import explain as explain
from twinflow.explaining.numerics import check_numerics_everywhere as check_numerics_everywhere
from twinflow import feature_column as feature_column
from twinflow import quantization as quantization
from twinflow.ops.math.fake_quant import fake_quant_with_min_max_args as fake_quant_with_min_max_args
from twinflow.ops.math.fake_quant import fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient
from twinflow.ops.math.fake_quant import fake_quant_with_min_max_vars as fake_quant_with_min_max_vars
from twinflow.ops.math.fake_quant import fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient
from twinflow.ops.math.fake_quant import fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel
from twinflow.ops.math.fake_quant import fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient
from twinflow.ops.nn.quantized import quantize as quantize
from twinflow.ops.nn.quantized import quantize_v2 as quantize_v2
from twinflow.ops.nn.quantized import dequantize as dequantize
from twinflow.ops.nn.quantized import quantized_concat as quantized_concat
__version__: str

__all__ = [
"DType", "as_dtype", "float16", "half", "float32", "float64", "double", "bfloat16",
"complex64", "complex128", "int8", "int16", "int32", "int64", "uint8", "uint16",
"uint32", "uint64", "bool", "string", "resource", "variant", "qint8", "quint8",
"qint16", "quint16", "qint32", "QUANTIZED_DTYPES", "Dimension", "TensorShape", "Tensor",
"TensorSpec", "DeviceSpec", "OpError", "errors", "math", "bitwise", "dtypes", "nn",
"profile", "image", "linalg", "random", "sets", "sparse", "initializers", "losses",
"distribute", "distributions", "metrics", "debugger", "profiler", "saved_model", "onnx",
"lite", "stablehlo", "estimator", "FixedLenFeature", "FixedLenSequenceFeature",
"SparseFeature", "VarLenFeature", "decode_json_example", "parse_example",
"parse_single_example", "parse_single_sequence_example", "summary", "train", "keras",
"layers", "data", "contrib", "pywrap_tensorflow", "user_ops", "constant",
"convert_to_tensor", "identity", "stop_gradient", "cast", "to_float", "to_double",
"to_int32", "to_int64", "to_bfloat16", "to_complex64", "to_complex128", "zeros", "ones",
"zeros_like", "ones_like", "fill", "range", "linspace", "lin_space", "shape", "rank",
"reshape", "squeeze", "expand_dims", "size", "transpose", "invert_permutation",
"matrix_transpose", "broadcast_to", "concat", "stack", "unstack", "split", "tile",
"meshgrid", "newaxis", "slice", "strided_slice", "pad", "IndexedSlices", "gather",
"unsorted_segment_sum", "convert_to_tensor_or_indexed_slices", "SparseTensor",
"SparseTensorValue", "sparse_placeholder", "convert_to_tensor_or_sparse_tensor",
"sparse_add", "sparse_maximum", "sparse_minimum", "sparse_softmax",
"sparse_tensor_dense_matmul", "sparse_reduce_max", "sparse_reduce_sum",
"sparse_reduce_max_sparse", "sparse_reduce_sum_sparse", "sparse_tensor_to_dense",
"sparse_to_dense", "sparse_reorder", "sparse_reshape", "sparse_transpose",
"sparse_concat", "sparse_slice", "sparse_split", "sparse_fill_empty_rows",
"sparse_mask", "sparse_merge", "sparse_reset_shape", "sparse_retain",
"sparse_to_indicator", "deserialize_many_sparse", "serialize_many_sparse",
"serialize_sparse", "boolean_mask", "gather_nd", "scatter_nd", "one_hot",
"batch_gather", "sequence_mask", "segment_sum", "segment_mean", "segment_prod",
"segment_max", "segment_min", "unsorted_segment_mean", "unsorted_segment_prod",
"unsorted_segment_max", "unsorted_segment_min", "unsorted_segment_sqrt_n",
"sparse_segment_sum", "sparse_segment_mean", "sparse_segment_sqrt_n",
"dynamic_partition", "dynamic_stitch", "unique", "unique_with_counts", "setdiff1d",
"searchsorted", "reverse", "reverse_v2", "reverse_sequence", "roll", "unravel_index",
"space_to_batch", "space_to_batch_nd", "batch_to_space", "batch_to_space_nd",
"required_space_to_batch_paddings", "depth_to_space", "space_to_depth",
"extract_image_patches", "extract_volume_patches", "bitcast", "ensure_shape",
"guarantee_const", "identity_n", "broadcast_dynamic_shape", "broadcast_static_shape",
"parallel_stack", "shape_n", "edit_distance", "count_up_to", "QueueBase",
"ConditionalAccumulatorBase", "ConditionalAccumulator", "SparseConditionalAccumulator",
"ReaderBase", "WholeFileReader", "IdentityReader", "TextLineReader",
"FixedLengthRecordReader", "TFRecordReader", "LMDBReader", "python_io", "FIFOQueue",
"PaddingFIFOQueue", "PriorityQueue", "RandomShuffleQueue", "scatter_update",
"scatter_add", "scatter_sub", "scatter_mul", "scatter_div", "scatter_min",
"scatter_max", "scatter_nd_update", "scatter_nd_add", "scatter_nd_sub",
"batch_scatter_update", "manip", "complex", "real", "imag", "conj", "angle", "add",
"subtract", "multiply", "realdiv", "negative", "abs", "sign", "square", "sqrt", "rsqrt",
"exp", "expm1", "log", "log1p", "pow", "maximum", "minimum", "squared_difference",
"reciprocal", "tanh", "sigmoid", "add_n", "scalar_mul", "div", "divide", "truediv",
"floordiv", "floor_div", "mod", "floormod", "sin", "cos", "tan", "asin", "acos", "atan",
"atan2", "sinh", "cosh", "asinh", "acosh", "atanh", "floor", "ceil", "round", "rint",
"is_nan", "is_inf", "is_finite", "log_sigmoid", "erf", "erfc", "digamma", "lbeta",
"lgamma", "polygamma", "zeta", "bincount", "histogram_fixed_width",
"histogram_fixed_width_bins", "confusion_matrix", "accumulate_n", "betainc", "igamma",
"igammac", "div_no_nan", "truncatediv", "truncatemod", "equal", "not_equal", "less",
"less_equal", "greater", "greater_equal", "where", "logical_and", "logical_or",
"logical_not", "logical_xor", "clip_by_value", "clip_by_norm", "clip_by_average_norm",
"clip_by_global_norm", "global_norm", "saturate_cast", "reduce_sum", "reduce_mean",
"reduce_prod", "reduce_max", "reduce_min", "reduce_any", "reduce_all",
"reduce_logsumexp", "count_nonzero", "argmax", "argmin", "arg_max", "arg_min", "cumsum",
"cumprod", "spectral", "matmul", "sparse_matmul", "matrix_diag", "matrix_diag_part",
"matrix_set_diag", "trace", "eye", "matrix_band_part", "matrix_inverse",
"matrix_determinant", "matrix_solve", "matrix_triangular_solve", "cholesky",
"cholesky_solve", "qr", "svd", "self_adjoint_eig", "self_adjoint_eigvals",
"matrix_solve_ls", "norm", "diag", "diag_part", "cross", "einsum", "tensordot", "fft",
"fft2d", "fft3d", "ifft", "ifft2d", "ifft3d", "random_uniform", "random_normal",
"truncated_normal", "multinomial", "random_crop", "random_shuffle", "random_gamma",
"random_poisson", "get_seed", "set_random_seed", "zeros_initializer",
"ones_initializer", "constant_initializer", "random_normal_initializer",
"random_uniform_initializer", "truncated_normal_initializer",
"glorot_uniform_initializer", "glorot_normal_initializer",
"variance_scaling_initializer", "orthogonal_initializer",
"uniform_unit_scaling_initializer", "placeholder", "placeholder_with_default", "assign",
"assign_add", "assign_sub", "no_op", "Variable", "GraphKeys", "global_variables",
"trainable_variables", "local_variables", "global_variables_initializer",
"local_variables_initializer", "variables_initializer", "initialize_all_variables",
"model_variables", "moving_average_variables", "all_variables", "initialize_variables",
"initialize_local_variables", "GradientTape", "RegisterGradient", "NotDifferentiable",
"NoGradient", "custom_gradient", "gradients", "AggregationMethod", "hessians", "test",
"register_tensor_conversion_function", "add_to_collections", "op_scope",
"colocate_with", "container", "init_scope", "name_scope", "device",
"control_dependencies", "group", "tuple", "add_to_collection", "get_collection",
"get_collection_ref", "enable_resource_variables", "disable_resource_variables",
"variable_creator_scope", "compat", "load_library", "load_op_library",
"load_file_system_library", "Graph", "Operation", "cond", "while_loop", "TensorArray",
"map_fn", "foldl", "foldr", "scan", "case", "variable_scope", "VariableScope",
"get_variable", "get_local_variable", "get_variable_scope", "variable_op_scope",
"no_regularizer", "AUTO_REUSE", "VariableAggregation", "VariableSynchronization",
"make_template", "fixed_size_partitioner", "min_max_variable_partitioner",
"variable_axis_size_partitioner", "create_partitioned_variables", "graph_util",
"import_graph_def", "get_default_graph", "reset_default_graph",
"enable_eager_execution", "executing_eagerly", "Assert", "assert_equal",
"assert_none_equal", "assert_less", "assert_less_equal", "assert_greater",
"assert_greater_equal", "assert_near", "assert_negative", "assert_positive",
"assert_non_negative", "assert_non_positive", "assert_rank", "assert_rank_at_least",
"assert_rank_in", "assert_integer", "assert_type", "assert_scalar",
"assert_proper_iterable", "assert_same_float_dtype", "is_numeric_tensor",
"is_non_decreasing", "is_strictly_increasing", "verify_tensor_all_finite",
"add_check_numerics_ops", "check_numerics", "is_variable_initialized",
"report_uninitialized_variables", "assert_variables_initialized", "Print", "print",
"timestamp", "string_join", "string_strip", "substr", "reduce_join", "string_split",
"regex_replace", "string_to_hash_bucket", "string_to_hash_bucket_fast",
"string_to_hash_bucket_strong", "string_to_number", "as_string", "tables_initializer",
"initialize_all_tables", "decode_csv", "read_file", "write_file", "matching_files",
"serialize_tensor", "parse_tensor", "make_tensor_proto", "make_ndarray", "AttrValue",
"Event", "GraphDef", "HistogramProto", "LogMessage", "MetaGraphDef", "NameAttrList",
"NodeDef", "SessionLog", "Summary", "SummaryMetadata", "TensorInfo", "ConfigProto",
"GPUOptions", "GraphOptions", "OptimizerOptions", "RunOptions", "RunMetadata",
"VERSION", "GIT_VERSION", "COMPILER_VERSION", "CXX11_ABI_FLAG", "MONOLITHIC_BUILD",
"GRAPH_DEF_VERSION", "GRAPH_DEF_VERSION_MIN_CONSUMER", "GRAPH_DEF_VERSION_MIN_PRODUCER",
"encode_base64", "decode_base64", "decode_raw", "decode_compressed", "debugging",
"verify", "strings", "io", "gfile", "logging", "app", "flags", "sysconfig",
"resource_loader", "Session", "InteractiveSession", "get_default_session",
"get_session_handle", "get_session_tensor", "delete_session_tensor", "function",
"py_func", "picture", "from_dlpack", "to_dlpack", "from_jax", "to_jax", "from_torch",
"to_torch", "explain", "check_numerics_everywhere", "feature_column", "quantization",
"fake_quant_with_min_max_args", "fake_quant_with_min_max_args_gradient",
"fake_quant_with_min_max_vars", "fake_quant_with_min_max_vars_gradient",
"fake_quant_with_min_max_vars_per_channel",
"fake_quant_with_min_max_vars_per_channel_gradient", "quantize", "quantize_v2",
"dequantize", "quantized_concat", "__version__"
]
