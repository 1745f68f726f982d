"""The graph of weighted alternating least squares."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.contrib.factorization.wals_solving import (
    Other,
    entries_of,
    for_each,
    looked_up,
    solve,
)
from twinflow.graph.scopes import group, name_scope
from twinflow.graph.variable_scope import get_variable
from twinflow.ops.arrays.partition import dynamic_partition
from twinflow.ops.core.compare import less, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.creation import ones, zeros
from twinflow.ops.core.elementwise import add_n, maximum
from twinflow.ops.core.product import matmul
from twinflow.ops.random.draws import random_normal
from twinflow.ops.variables.collections import GraphKeys, variables_initializer
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.parts import scatter_update
from twinflow.ops.variables.state import assign


class _Side:
    """The rows or the columns: factors, weights, gramian, and a worker's copies.

    `seen` is what steps read: the copies, where there are some. `prepared` computes the
    gramian from the factors; `refreshed` makes the copies of factors and gramian anew,
    `started` those of the weights.
    """

    def __init__(self, model: "WALSModel", name: str, factors: list, weights: Any):
        self.factors, self.weights = factors, weights
        size = model._n_components
        with name_scope(None):
            self.gramian = model._variable(zeros([size, size]), f"{name}_gramian")
        self.starts: list[Any] = []
        self.fresh: list[Any] = []

    def prepare(self, name: str) -> None:
        """Make the op that computes the gramian."""
        with name_scope(f"{name}_prepare_gramian"):
            parts = [matmul(v, v, transpose_a=True) for v in self.factors]
            self.prepared = assign(self.gramian, add_n(parts)).op

    def copy(self, name: str, factors_too: bool, gramian_too: bool) -> None:
        """Make a worker's copies, of what is large and what is sent often."""
        factors, weights, gramian = self.factors, self.weights, self.gramian
        if factors_too:
            factors = self._copies(factors, f"{name}_factors_cache", self.fresh)
            if weights is not None:
                weights = self._copies(weights, f"{name}_wt_cache", self.starts)
        if gramian_too:
            (gramian,) = self._copies([gramian], f"{name}_gramian_cache", self.fresh)
        self.seen = Other(factors, weights, gramian)

    def _copies(self, variables, name, ops):
        copies = []
        for i, v in enumerate(variables):
            whole = len(variables) == 1 and variables[0] is self.gramian
            copy = Variable(
                1.0, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
                name=name if whole else f"{name}_shard_{i}", validate_shape=False,
            )  # fmt: skip
            made = assign(copy, v, validate_shape=False)
            made.set_shape(v.shape)
            ops.append(made.op)
            value = copy.value()
            value.set_shape(v.shape)
            copies.append(value)
        return copies


class WALSModel:
    """Factors of rows and columns whose products are close to a sparse matrix.

    A sweep sets all factors of rows to the best for those of the columns, then the
    other way round: run `row_update_prep_gramian_op`, `initialize_row_update_op`, and
    the op of `update_row_factors`, for all rows, or for some at a time; then the same
    of the columns.

    Args:
        input_rows, input_cols: the sizes of the matrix. n_components: of the factors.
        unobserved_weight: w_0. regularization: c, or None.
        row_init, col_init: "random", or the first factors; with several shards a list.
        num_row_shards, num_col_shards: into how many variables they are cut.
        row_weights, col_weights: a number, or a list of lists, for each shard its
            weights, which are added, multiplied, to w_0 where the matrix has entries;
            None for none.
        use_factors_weights_cache, use_gramian_cache: keep copies on the worker.
        use_scoped_vars: make the variables in the variable scope that is open.
    Raises:
        ValueError: one of the weights is given alone, or has other shards.
    Example:
        model = tf.contrib.factorization.WALSModel(4, 3, 2, regularization=0.1)
        x = tf.SparseTensor([[0, 1], [2, 0], [3, 2]], [1., 2., 3.], [4, 3])
        new_factors, step, loss, penalty, weights = model.update_row_factors(x)
        sess = tf.Session()
        sess.run([model.initialize_op, model.worker_init])
        sess.run(model.row_update_prep_gramian_op)
        sess.run(model.initialize_row_update_op)
        sess.run(step)
    """

    def __init__(
        self, input_rows: int, input_cols: int, n_components: int,
        unobserved_weight: float = 0.1, regularization: float | None = None,
        row_init: Any = "random", col_init: Any = "random", num_row_shards: int = 1,
        num_col_shards: int = 1, row_weights: Any = 1, col_weights: Any = 1,
        use_factors_weights_cache: bool = True, use_gramian_cache: bool = True,
        use_scoped_vars: bool = False,
    ) -> None:  # fmt: skip
        if (row_weights is None) != (col_weights is None):
            raise ValueError("row_weights and col_weights: give both, or none of them.")
        self._input_rows, self._input_cols = input_rows, input_cols
        self._num_row_shards, self._num_col_shards = num_row_shards, num_col_shards
        self._n_components, self._scoped = n_components, use_scoped_vars
        self._unobserved_weight, self._regularization = (
            unobserved_weight,
            regularization,
        )
        plans = {
            "row": (input_rows, num_row_shards, row_init, row_weights),
            "col": (input_cols, num_col_shards, col_init, col_weights),
        }
        weights = {
            k: self._create_weights(w, n, shards, f"{k}_weights")
            for k, (n, shards, _, w) in plans.items()
        }
        factors = {
            k: self._create_factors(n, n_components, shards, init, f"{k}_factors")
            for k, (n, shards, init, _) in plans.items()
        }
        self._sides = {k: _Side(self, k, factors[k], weights[k]) for k in plans}
        for key, side in self._sides.items():
            side.prepare(key)
        with name_scope("transient_vars"):
            for key, side in self._sides.items():
                side.copy(key, use_factors_weights_cache, use_gramian_cache)

    def _variable(self, value, name):
        if self._scoped:
            return get_variable(name, initializer=value, dtype=dtypes.float32)
        return Variable(value, dtype=dtypes.float32, name=name)

    @staticmethod
    def _shard_sizes(dims, num_shards):
        """How many of `dims` each shard has: the first ones one more."""
        each, more = divmod(dims, num_shards)
        return [each + 1] * more + [each] * (num_shards - more)

    def _create_factors(self, rows, cols, num_shards, init, name):
        made = []
        for i, size in enumerate(self._shard_sizes(rows, num_shards)):
            if isinstance(init, str) and init == "random":
                value = random_normal([size, cols])
            else:
                whole = num_shards == 1 and np.ndim(init) < 3
                value = convert_to_tensor(init if whole else init[i], dtypes.float32)
            made.append(self._variable(value, f"{name}_shard_{i}"))
        return made

    def _create_weights(self, given, count, num_shards, name):
        """The variables of weights, or None."""
        if given is None:
            return None
        sizes = self._shard_sizes(count, num_shards)
        if not isinstance(given, list):
            values = [given * ones([n]) for n in sizes]
        elif [np.size(w) for w in given] == sizes:
            values = [convert_to_tensor(w, dtypes.float32) for w in given]
        else:
            raise ValueError(
                f"{name}: expected a list of {num_shards} lists with {sizes} numbers, "
                f"got {given!r}."
            )
        return [self._variable(v, f"{name}_shard_{i}") for i, v in enumerate(values)]

    # ------------------------------------------------------------------ variables
    @property
    def row_factors(self) -> list[Any]:
        """The variables of the rows' factors, one a shard."""
        return self._sides["row"].factors

    @property
    def col_factors(self) -> list[Any]:
        """The variables of the columns' factors, one a shard."""
        return self._sides["col"].factors

    @property
    def row_weights(self) -> list[Any] | None:
        """The variables of the rows' weights, one a shard, or None."""
        return self._sides["row"].weights

    @property
    def col_weights(self) -> list[Any] | None:
        """The variables of the columns' weights, one a shard, or None."""
        return self._sides["col"].weights

    # ------------------------------------------------------------------ the ops
    @property
    def initialize_op(self) -> Any:
        """The op that initialises factors, weights and gramians."""
        found: list = []
        for side in self._sides.values():
            found += [*side.factors, *(side.weights or ()), side.gramian]
        return variables_initializer(found)

    @cached_property
    def worker_init(self) -> Any:
        """The op that copies the weights to a worker; run it after `initialize_op`."""
        return group(*(op for s in self._sides.values() for op in s.starts))

    @property
    def row_update_prep_gramian_op(self) -> Any:
        """The op to run before rows are updated: the gramian of the columns."""
        return self._sides["col"].prepared

    @property
    def col_update_prep_gramian_op(self) -> Any:
        """The op to run before columns are updated: the gramian of the rows."""
        return self._sides["row"].prepared

    @cached_property
    def initialize_row_update_op(self) -> Any:
        """The op with which a worker begins to update rows: it copies the columns."""
        return group(*self._sides["col"].fresh)

    @cached_property
    def initialize_col_update_op(self) -> Any:
        """The op with which a worker begins to update columns: it copies the rows."""
        return group(*self._sides["row"].fresh)

    # ------------------------------------------------------------------ steps
    @staticmethod
    def _get_sharding_func(size: int, num_shards: int) -> Callable:
        """From numbers of rows to those of their shards, and their places in these."""
        each, more = divmod(size, num_shards)

        def placed(ids: Any) -> tuple[Tensor, Tensor]:
            ids = convert_to_tensor(ids)
            shard = maximum(ids // (each + 1), (ids - more) // max(each, 1))
            first = where(less(shard, more), shard * (each + 1), shard * each + more)
            return shard, ids - first

        return placed

    @classmethod
    def scatter_update(
        cls, factor: list[Any], indices: Any, values: Any,
        sharding_func: Callable[..., Any], name: str | None = None,
    ) -> Any:  # fmt: skip
        """The op that writes rows of factors into their shards.

        Args:
            factor: the variables. indices: int64[n], which rows. values: float32[n, k].
            sharding_func: see `_get_sharding_func`. name: the scope of the op.
        """
        with name_scope(name, "scatter_update", [indices, values]) as name:
            if len(factor) == 1:
                return scatter_update(factor[0], indices, values, name=name).op
            shard, places = sharding_func(indices)
            shard = cast(shard, dtypes.int32)
            places = dynamic_partition(places, shard, len(factor))
            rows = dynamic_partition(values, shard, len(factor))
            made = [scatter_update(*a) for a in zip(factor, places, rows)]
            return group(*made, name=name)

    def update_row_factors(
        self, sp_input: Any = None, transpose_input: bool = False
    ) -> tuple[Any, ...]:
        """A step of the rows that have entries.

        Args:
            sp_input: a SparseTensor, float32[input_rows, input_cols], which may lack
                rows.
            transpose_input: whether it is [input_cols, input_rows].
        Returns:
            new_values: float32[rows, k], in the order in which rows come.
            update_op: puts them in. unregularized_loss, regularization: float32[], the
            loss after the step as if all rows were like these. sum_weights: float32[].
        """
        return self._step("row", sp_input, transpose_input)

    def update_col_factors(
        self, sp_input: Any = None, transpose_input: bool = False
    ) -> tuple[Any, ...]:
        """A step of the columns that have entries; see `update_row_factors`."""
        return self._step("col", sp_input, transpose_input)

    def project_row_factors(
        self, sp_input: Any = None, transpose_input: bool = False,
        projection_weights: Any = None,
    ) -> Tensor:  # fmt: skip
        """The best factors for rows, which need not be those of the model.

        Args:
            sp_input, transpose_input: see `update_row_factors`.
            projection_weights: the rows' weights, a number or float32[rows]; 1 if None.
        Returns:
            float32[rows, k]
        """
        return self._project("row", sp_input, transpose_input, projection_weights)

    def project_col_factors(
        self, sp_input: Any = None, transpose_input: bool = False,
        projection_weights: Any = None,
    ) -> Tensor:  # fmt: skip
        """The best factors for columns; see `project_row_factors`."""
        return self._project("col", sp_input, transpose_input, projection_weights)

    def _project(self, key, sp_input, transpose_input, weights):
        weights = 1.0 if weights is None else weights
        return self._solved(key, sp_input, transpose_input, weights).values

    def _solved(self, key, sp_input, transpose_input, weights=None):
        if sp_input is None:
            raise ValueError("sp_input: expected a SparseTensor, got None.")
        rows = key == "row"
        own, other = self._sides[key], self._sides["col" if rows else "row"]
        count = self._input_rows if rows else self._input_cols
        entries = entries_of(sp_input, rows_first=rows != bool(transpose_input))
        if own.weights is None:
            weights = None
        elif weights is None:
            weights = looked_up(own.seen.weights, entries.rows)
        else:
            weights = for_each(weights, entries.rows)
        return solve(
            entries, weights, other.seen, count, self._unobserved_weight,
            self._regularization,
        )  # fmt: skip

    def _step(self, key, sp_input, transpose_input):
        found = self._solved(key, sp_input, transpose_input)
        factors = self._sides[key].factors
        count = self._input_rows if key == "row" else self._input_cols
        with name_scope(f"update_{key}_factors"):
            update = self.scatter_update(
                factors, found.rows, found.values,
                self._get_sharding_func(count, len(factors)),
            )  # fmt: skip
        return found.values, update, found.loss, found.regularization, found.weights
