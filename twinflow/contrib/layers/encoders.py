"""Sequences of ids as vectors, of tf.contrib.layers."""

from typing import Any

from twinflow.contrib.framework.argument_scopes import add_arg_scope
from twinflow.contrib.layers.outputs import layer_scope
from twinflow.contrib.layers.simple import dense_to_sparse
from twinflow.graph.variable_scope import get_variable
from twinflow.ops.arrays.unique import unique as _unique
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.index import gather
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_mean
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.nn.embedding import embedding_lookup
from twinflow.ops.nn.embedding_sparse import safe_embedding_lookup_sparse
from twinflow.ops.sparse.tensor import SparseTensor


def _table(size, dim, initializer, regularizer, trainable):
    return get_variable(
        "embeddings", [size, dim], None, initializer, regularizer, trainable
    )


def embed_sequence(
    ids: Any, vocab_size: Any = None, embed_dim: Any = None, unique: bool = False,
    initializer: Any = None, regularizer: Any = None, trainable: bool = True,
    scope: Any = None, reuse: Any = None,
) -> Any:  # fmt: skip
    """A vector for each id.

    Args:
        ids: int[batch, length]. vocab_size: how many ids there are.
        embed_dim: the size of a vector.
        unique: whether each id is looked up once.
        initializer, regularizer, trainable: those of the table; an array as initializer
            says its sizes too.
        scope, reuse: see tf.variable_scope; the scope is "EmbedSequence" by default.
    Returns:
        float[batch, length, embed_dim]
    Raises:
        ValueError: the sizes are not known.
    """
    if not (reuse or (vocab_size and embed_dim)):
        raise ValueError("Must specify vocab size and embedding dimension when not "
                         f"reusing. Got vocab_size={vocab_size} and "
                         f"embed_dim={embed_dim}")  # fmt: skip
    with layer_scope(scope, "EmbedSequence", ids, reuse):
        table = _table(vocab_size, embed_dim, initializer, regularizer, trainable)
        if not unique:
            return embedding_lookup(table, ids)
        ids = convert_to_tensor(ids)
        known, places = _unique(reshape(ids, [-1]))
        rows = gather(embedding_lookup(table, known), places)
        return reshape(rows, concat([shape(ids), [-1]], 0))


@add_arg_scope
def bow_encoder(
    ids: Any, vocab_size: Any, embed_dim: Any, sparse_lookup: bool = True,
    initializer: Any = None, regularizer: Any = None, trainable: bool = True,
    scope: Any = None, reuse: Any = None,
) -> Any:  # fmt: skip
    """The mean of the vectors of the ids of each row.

    Args:
        ids: int[batch, length], or a SparseTensor of this shape.
        sparse_lookup: whether the id 0 is left out, as padding; a row of nothing else
            has the vector of the id 0.
        The rest: see embed_sequence; the scope is "bow_encoder" by default.
    Raises:
        TypeError: ids are sparse, but are not to be looked up so.
    """
    with layer_scope(scope, "bow_encoder", ids, reuse):
        table = _table(vocab_size, embed_dim, initializer, regularizer, trainable)
        if sparse_lookup and not isinstance(ids, SparseTensor):
            ids = dense_to_sparse(ids)
        if isinstance(ids, SparseTensor):
            if not sparse_lookup:
                raise TypeError(f"ids are expected to be dense Tensor, got: {ids}")
            return safe_embedding_lookup_sparse(table, ids, default_id=0)
        return reduce_mean(embedding_lookup(table, ids), 1)
