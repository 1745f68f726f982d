"""Factorisation of sparse matrices as an Estimator of tf.contrib.learn."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.annotations import Path
from twinflow.contrib.factorization.wals_model import WALSModel
from twinflow.contrib.framework.variables import get_unique_variable
from twinflow.contrib.learn.estimator import Estimator
from twinflow.contrib.learn.keys import ModeKeys
from twinflow.contrib.learn.model_fn import ModelFnOps
from twinflow.graph.cond import cond
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.core.compare import logical_not
from twinflow.ops.core.creation import ones_like, zeros
from twinflow.ops.core.elementwise import sqrt
from twinflow.ops.core.no_op import no_op
from twinflow.ops.core.reduction import reduce_all
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.parts import scatter_update
from twinflow.ops.variables.state import assign, assign_add
from twinflow.summary import summaries
from twinflow.train.session_run_hook import SessionRunArgs, SessionRunHook
from twinflow.train.training_util import get_global_step


class _SweepHook(SessionRunHook):
    """Has a step of rows or of columns run, and what comes before each sweep."""

    def __init__(
        self, is_row_sweep_var, is_sweep_done_var, init_op, row_prep_ops, col_prep_ops,
        row_train_op, col_train_op, switch_op,
    ):  # fmt: skip
        self._is_row_sweep, self._is_done = is_row_sweep_var, is_sweep_done_var
        self._init, self._switch = init_op, switch_op
        self._prepare = {True: row_prep_ops, False: col_prep_ops}
        self._train = {True: row_train_op, False: col_train_op}
        self._started = False

    def before_run(self, run_context: Any) -> Any:
        session = run_context.session
        rows, done = session.run([self._is_row_sweep, self._is_done])
        if not self._started:
            session.run(self._init)
        if done:
            session.run(self._switch)
            rows = session.run(self._is_row_sweep)
        if done or not self._started:
            for op in self._prepare[bool(rows)]:
                session.run(op)
        self._started = True
        return SessionRunArgs(fetches=[self._train[bool(rows)]])


class _IncrementGlobalStepHook(SessionRunHook):
    """Counts steps."""

    def __init__(self) -> None:
        self._op = assign_add(get_global_step(), 1).op

    def before_run(self, run_context: Any) -> Any:
        return SessionRunArgs(self._op)


class _StopAtSweepHook(SessionRunHook):
    """Stops after a number of sweeps."""

    def __init__(self, last_sweep: int) -> None:
        self._last_sweep = last_sweep

    def begin(self) -> None:
        name = WALSMatrixFactorization.COMPLETED_SWEEPS
        self._count = get_unique_variable(name)

    def before_run(self, run_context: Any) -> Any:
        return SessionRunArgs(self._count)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if run_context.session.run(self._count) >= self._last_sweep:
            run_context.request_stop()


class WALSMatrixFactorization(Estimator):
    """Factors of a sparse matrix: an Estimator of `tf.contrib.factorization.WALSModel`.

    An input function gives a dict: `INPUT_ROWS`, a SparseTensor[num_rows, num_cols] of
    some rows, and `INPUT_COLS`, a SparseTensor[num_cols, num_rows] of some columns. To
    evaluate and to project it also gives `PROJECT_ROW`, a bool: whether rows are meant,
    and maybe `PROJECTION_WEIGHTS`, those of the rows.

    Args:
        num_rows, num_cols: the sizes of the matrix. embedding_dimension: of factors.
        unobserved_weight, row_init, col_init, num_row_shards, num_col_shards,
        row_weights, col_weights: see WALSModel.
        regularization_coeff: c; None for none.
        use_factors_weights_cache_for_training, use_gramian_cache_for_training: keep
            copies on the worker.
        max_sweeps: stop after so many, of rows or of columns; None for no end.
        model_dir: where to save. config: a RunConfig.
    Example:
        x = tf.contrib.factorization.WALSMatrixFactorization(
            3, 4, 2, regularization_coeff=0.1, max_sweeps=6, model_dir="./factors")
        rows, columns = np.nonzero(np.arange(12).reshape(3, 4) % 5 < 2)
        def both():
            at = np.stack([rows, columns], 1).astype(np.int64)
            one = tf.ones([len(at)])
            return {"input_rows": tf.SparseTensor(at, one, [3, 4]),
                    "input_cols": tf.SparseTensor(at[:, ::-1].copy(), one, [4, 3])
                    }, None
        x = x.fit(input_fn=both)
        len(x.get_row_factors()[0])  # 3
    """

    INPUT_ROWS, INPUT_COLS = "input_rows", "input_cols"
    PROJECT_ROW, PROJECTION_WEIGHTS = "project_row", "projection_weights"
    PROJECTION_RESULT, COMPLETED_SWEEPS = "projection", "completed_sweeps"
    LOSS, RWSE = "WALS_loss", "WALS_RWSE"

    def __init__(
        self, num_rows: int, num_cols: int, embedding_dimension: int,
        unobserved_weight: float = 0.1, regularization_coeff: float | None = None,
        row_init: Any = "random", col_init: Any = "random", num_row_shards: int = 1,
        num_col_shards: int = 1, row_weights: Any = 1, col_weights: Any = 1,
        use_factors_weights_cache_for_training: bool = True,
        use_gramian_cache_for_training: bool = True, max_sweeps: int | None = None,
        model_dir: Path | None = None, config: Any = None,
    ) -> None:  # fmt: skip
        options = (
            num_rows, num_cols, embedding_dimension, unobserved_weight,
            regularization_coeff, row_init, col_init, num_row_shards, num_col_shards,
            row_weights, col_weights,
        )  # fmt: skip
        caches = use_factors_weights_cache_for_training, use_gramian_cache_for_training
        self._row_shards, self._col_shards = num_row_shards, num_col_shards

        def model_fn(features: Any, labels: Any, mode: str) -> ModelFnOps:
            del labels
            kept = caches if mode == ModeKeys.TRAIN else (False, False)
            model = WALSModel(*options, *kept)
            if mode == ModeKeys.TRAIN:
                return _trained(model, features, num_rows, num_cols, max_sweeps)
            return _used(model, features, mode)

        super().__init__(model_fn, model_dir, config)

    def get_row_factors(self) -> list[np.ndarray]:
        """float32[rows, k] of each shard, from the last checkpoint."""
        name = "row_factors_shard_%d"
        return [self.get_variable_value(name % i) for i in range(self._row_shards)]

    def get_col_factors(self) -> list[np.ndarray]:
        """float32[columns, k] of each shard, from the last checkpoint."""
        name = "col_factors_shard_%d"
        return [self.get_variable_value(name % i) for i in range(self._col_shards)]

    def get_projections(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """The best factors of the rows or columns of the input, one after the other."""
        key = self.PROJECTION_RESULT
        for found in self.predict(input_fn=input_fn, outputs=[key]):
            yield found[key]


_Names = WALSMatrixFactorization


def _used(model, features, mode):
    """Loss or projection, of rows or columns."""
    weights = features.get(_Names.PROJECTION_WEIGHTS)
    rows, columns = features.get(_Names.INPUT_ROWS), features.get(_Names.INPUT_COLS)
    if mode == ModeKeys.EVAL:
        sides = (
            lambda: sum(model.update_row_factors(rows)[2:4]),
            lambda: sum(model.update_col_factors(columns, True)[2:4]),
        )
    else:
        sides = (
            lambda: model.project_row_factors(rows, False, weights),
            lambda: model.project_col_factors(columns, True, weights),
        )
    found = cond(features[_Names.PROJECT_ROW], *sides)
    if mode == ModeKeys.EVAL:
        return ModelFnOps(mode, {}, found)
    return ModelFnOps(mode, {_Names.PROJECTION_RESULT: found})


def _trained(model, features, num_rows, num_cols, max_sweeps):
    """The steps, their hooks, and the variables that say how far a sweep is."""
    plain = partial(Variable, trainable=False)
    is_row = plain(True, name="is_row_sweep", dtype=dtypes.bool)
    done = plain(False, name="is_sweep_done", dtype=dtypes.bool)
    sweeps = plain(0, name=_Names.COMPLETED_SWEEPS, dtype=dtypes.int32)
    loss = plain(0.0, name=_Names.LOSS)
    error = plain(0.0, name=_Names.RWSE)
    seen = {
        key: plain(zeros([n], dtypes.bool), name=f"processed_{key}", dtype=dtypes.bool)
        for key, n in (("rows", num_rows), ("cols", num_cols))
    }
    summaries.scalar("loss", loss)
    summaries.scalar("root_weighted_squared_error", error)
    summaries.scalar(_Names.COMPLETED_SWEEPS, sweeps)

    def step(update: Callable, sparse: Any, transpose: bool, key: str) -> Any:
        found = update(sparse, transpose)
        with control_dependencies([found[1]]):
            at = sparse.indices[:, 0]
            marked = scatter_update(seen[key], at, ones_like(at, dtypes.bool))
            told = [
                assign(loss, found[2] + found[3]),
                assign(error, sqrt(found[2] / found[4])),
            ]
        with control_dependencies([*told, marked]):
            complete = reduce_all(marked)
            return group(
                assign(done, complete),
                cond(complete, lambda: assign_add(sweeps, 1).op, no_op),
            )

    switch = group(
        assign(done, False),
        *(assign(v, zeros(v.shape, dtypes.bool)) for v in seen.values()),
        assign(is_row, logical_not(is_row)),
    )
    hooks: list = [_IncrementGlobalStepHook(), _SweepHook(
        is_row, done, model.worker_init,
        [model.row_update_prep_gramian_op, model.initialize_row_update_op],
        [model.col_update_prep_gramian_op, model.initialize_col_update_op],
        step(model.update_row_factors, features[_Names.INPUT_ROWS], False, "rows"),
        step(model.update_col_factors, features[_Names.INPUT_COLS], True, "cols"),
        switch,
    )]  # fmt: skip
    if max_sweeps is not None:
        hooks.append(_StopAtSweepHook(max_sweeps))
    return ModelFnOps(ModeKeys.TRAIN, {}, loss.value(), no_op(), training_hooks=hooks)
