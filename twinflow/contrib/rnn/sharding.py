"""Variables in parts that are joined for use."""

from twinflow.graph.variable_scope import get_variable
from twinflow.ops.core.joining import concat


def sharded_variable(name, shape, dtype, num_shards):
    """The parts `name_0`, `name_1` ... of a matrix; the first ones have a row more.

    Raises:
        ValueError: there are more parts than rows.
    """
    if num_shards > shape[0]:
        raise ValueError(f"Too many shards: shape={shape}, num_shards={num_shards}")
    size, more = divmod(shape[0], num_shards)
    return [
        get_variable(f"{name}_{i}", [size + (i < more), *shape[1:]], dtype)
        for i in range(num_shards)
    ]


def joined_variable(name, shape, dtype, num_shards):
    """The whole matrix of the parts of `sharded_variable`."""
    parts = sharded_variable(name, shape, dtype, num_shards)
    return parts[0] if len(parts) == 1 else concat(parts, 0, name=f"{name}/concat")
