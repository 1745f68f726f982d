"""The graph of a linear model that dual coordinate ascent trains."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.contrib.linear_optimizer.sharded_table import ShardedMutableDenseHashTable
from twinflow.graph.scopes import control_dependencies, group, name_scope
from twinflow.ops.arrays.unique import unique
from twinflow.ops.core.arithmetic import add_n
from twinflow.ops.core.constant import cast, convert_to_tensor, identity
from twinflow.ops.core.creation import zeros
from twinflow.ops.core.elementwise import exp, maximum, sigmoid, sign
from twinflow.ops.core.index import gather, unsorted_segment_sum
from twinflow.ops.core.joining import concat
from twinflow.ops.core.product import matmul
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.core.shape import expand_dims, reshape, shape
from twinflow.ops.nn.logistic import (
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
)
from twinflow.ops.variables.kinds import Variable
from twinflow.ops.variables.parts import scatter_add
from twinflow.ops.variables.sdca import sdca_fprint, sdca_optimizer
from twinflow.ops.variables.state import assign, assign_add

_LOSSES = (
    "logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss"
)  # fmt: skip
_STATE = 4


def _require(names: list, given: dict) -> None:
    for name in names:
        if given.get(name) is None:
            raise ValueError(f"{name} must be specified.")


class SdcaModel:
    """A linear model, trained example by example through its dual problem.

    It makes  sum_i c_i loss(x_i w, y_i) + l1 |w|_1 + l2 / 2 |w|^2  small, and knows how
    far from the smallest it is.

    Args:
        examples: a dict: "sparse_features", a list of SparseFeatureColumns;
            "dense_features", a list of float32[n] or [n, d]; "example_labels",
            "example_weights", [n]; "example_ids", string[n], which is which from batch
            to batch.
        variables: a dict of lists: "sparse_features_weights", "dense_features_weights",
            float32 variables.
        options: a dict: "loss_type" ("logistic_loss", "squared_loss", "hinge_loss",
            "smooth_hinge_loss", "poisson_loss"), "symmetric_l1_regularization",
            "symmetric_l2_regularization"; and, if wanted, "num_loss_partitions",
            "num_table_shards", "adaptive".
    Raises:
        ValueError: something is missing, or is no such thing.
    Reference: Shalev-Shwartz, Zhang: Stochastic dual coordinate ascent methods (2013).
    Example:
        w = tf.Variable(tf.zeros([2]))
        model = tf.contrib.linear_optimizer.SdcaModel(
            dict(sparse_features=[], dense_features=[tf.constant([[1., 0.], [0., 1.]])],
                 example_labels=[1., 0.], example_weights=[1., 1.],
                 example_ids=["a", "b"]),
            dict(sparse_features_weights=[], dense_features_weights=[w]),
            dict(loss_type="squared_loss", symmetric_l1_regularization=0.,
                 symmetric_l2_regularization=1.))
        step = model.update_weights(model.minimize())
        sess = tf.Session()
        sess.run(tf.global_variables_initializer())
        for _ in range(10):
            sess.run(step)
        np.round(sess.run(w), 2)  # [0.5, 0.]
    """

    def __init__(self, examples: Any, variables: Any, options: Any) -> None:
        if not examples or not variables or not options:
            raise ValueError("examples, variables and options must all be specified.")
        if options.get("loss_type") not in _LOSSES:
            raise ValueError("Unsupported loss_type: ", options.get("loss_type"))
        _require(
            ["example_labels", "example_weights", "example_ids", "sparse_features",
             "dense_features"], examples,
        )  # fmt: skip
        kinds = ["sparse_features_weights", "dense_features_weights"]
        _require(kinds, variables)
        lists = [(n, examples[n]) for n in ("sparse_features", "dense_features")]
        for name, value in [*lists, *((n, variables[n]) for n in kinds)]:
            if not isinstance(value, list):
                raise ValueError(f"{name} must be a list.")
        for name in ("symmetric_l1_regularization", "symmetric_l2_regularization"):
            _require([name], options)
            if float(options[name]) < 0:
                raise ValueError(
                    f"{name} should be non-negative. Found ({options[name]:f})"
                )
        self._examples, self._variables, self._options = examples, variables, options
        self._loss = options["loss_type"]
        self._l1 = float(options["symmetric_l1_regularization"])
        # The dual problem needs some of it: 1.12 takes 1 where less is given.
        self._l2 = max(float(options["symmetric_l2_regularization"]), 1.0)
        self._create_slots()
        self._table = ShardedMutableDenseHashTable(
            dtypes.int64, dtypes.float32, default_value=[0.0] * _STATE,
            empty_key=[0, 0], num_shards=options.get("num_table_shards") or 1,
            checkpoint=True,
        )  # fmt: skip

    def _create_slots(self) -> None:
        """The weights before they are shrunk, beside each variable."""
        self._slots = {
            kind: [
                Variable(
                    zeros(v.get_shape()), trainable=False,
                    name=f"{_parts(v)[0].op.name}_unshrinked/SDCAOptimizer",
                )
                for v in self._variables[kind]
            ]
            for kind in ("sparse_features_weights", "dense_features_weights")
        }  # fmt: skip

    def _all(self, kind):
        return [convert_to_tensor(v) for v in self._variables[kind]]

    # ------------------------------------------------------------------ predictions
    def _linear_predictions(self, examples: dict) -> Tensor:
        labels = convert_to_tensor(examples["example_labels"])
        found = zeros([shape(labels)[0]], dtypes.float32)
        for column, w in zip(
            examples["sparse_features"], self._all("sparse_features_weights")
        ):
            part = gather(reshape(w, [-1]), column.feature_indices)
            if column.feature_values is not None:
                part = part * column.feature_values
            rows = column.example_indices
            found = found + unsorted_segment_sum(part, rows, shape(labels)[0])
        for x, w in zip(
            examples["dense_features"], self._all("dense_features_weights")
        ):
            x = cast(convert_to_tensor(x), dtypes.float32)
            x = expand_dims(x, 1) if x.shape.ndims == 1 else x
            found = found + reshape(matmul(x, reshape(w, [-1, 1])), [-1])
        return found

    def predictions(self, examples: dict[Any, Any]) -> Tensor:
        """float32[n]: probabilities of a logistic model, means of a Poisson one, else
        linear predictions.

        Args:
            examples: see SdcaModel.
        """
        with name_scope("sdca/prediction"):
            found = self._linear_predictions(examples)
            if self._loss == "logistic_loss":
                return sigmoid(found)
            return exp(found) if self._loss == "poisson_loss" else found

    # ------------------------------------------------------------------ training
    def minimize(self, global_step: Any = None, name: str | None = None) -> Any:
        """The op of a pass over the examples; `update_weights` makes it count.

        Args:
            global_step: a variable to count passes in. name: the scope of the ops.
        """
        with name_scope(name, "sdca/minimize"):
            keys = sdca_fprint(convert_to_tensor(self._examples["example_ids"]))
            state = self._table.lookup(keys)
            known, sparse, dense = self._weights_of_batch()
            found = self._pass(state, known, sparse, dense)
            updates = [self._table.insert(keys, found.out_example_state_data)]
            slots = self._slots["sparse_features_weights"]
            for slot, at, change in zip(slots, known, found.out_delta_sparse_weights):
                updates.append(_add_rows(slot, at, change))
            slots = self._slots["dense_features_weights"]
            for slot, change in zip(slots, found.out_delta_dense_weights):
                updates.append(assign_add(slot, reshape(change, shape(slot))))
        with control_dependencies(updates):
            if global_step is None:
                return group(*updates, name=name)
            return assign_add(global_step, 1, name=name).op

    def _weights_of_batch(self):
        columns = self._examples["sparse_features"]
        known = [unique(c.feature_indices)[0] for c in columns]
        slots = self._slots["sparse_features_weights"]
        sparse = [gather(reshape(s.value(), [-1]), i) for s, i in zip(slots, known)]
        dense = [s.value() for s in self._slots["dense_features_weights"]]
        return known, sparse, dense

    def _pass(self, state, known, sparse, dense):
        examples, options = self._examples, self._options
        columns = examples["sparse_features"]
        # Groups with values come first.
        order = sorted(
            range(len(columns)), key=lambda i: columns[i].feature_values is None
        )
        chosen = [columns[i] for i in order]
        found = sdca_optimizer(
            [c.example_indices for c in chosen], [c.feature_indices for c in chosen],
            [c.feature_values for c in chosen if c.feature_values is not None],
            [cast(convert_to_tensor(d), dtypes.float32)
             for d in examples["dense_features"]],
            cast(convert_to_tensor(examples["example_weights"]), dtypes.float32),
            cast(convert_to_tensor(examples["example_labels"]), dtypes.float32),
            [known[i] for i in order], [sparse[i] for i in order], dense, state,
            loss_type=self._loss, l1=self._l1, l2=self._l2,
            num_loss_partitions=options.get("num_loss_partitions") or 1,
            num_inner_iterations=1, adaptative=options.get("adaptive", True),
        )  # fmt: skip
        changes: list = [None] * len(order)
        for i, change in zip(order, found.out_delta_sparse_weights):
            changes[i] = change
        return found._replace(out_delta_sparse_weights=changes)

    def update_weights(self, train_op: Any) -> Any:
        """The op that makes the weights those that passes have found.

        Args:
            train_op: an op to wait for, that of `minimize`.
        """
        with control_dependencies([train_op]):
            made = [
                _assigned(v, self._shrunk(slot.value()))
                for kind, slots in self._slots.items()
                for v, slot in zip(self._variables[kind], slots)
            ]
            return group(*made)

    def _shrunk(self, w):
        """Weights, nearer to 0 by l1 / l2."""
        if not self._l1:
            return identity(w)
        return sign(w) * maximum(abs(w) - self._l1 / self._l2, 0.0)

    # ------------------------------------------------------------------ losses
    def _penalty(self, l2):
        weights = self._all("sparse_features_weights")
        weights += self._all("dense_features_weights")
        parts = [
            self._l1 * reduce_sum(abs(w)) + 0.5 * l2 * reduce_sum(w * w)
            for w in weights
        ]
        return cast(add_n(parts), dtypes.float64) if parts else 0.0

    def approximate_duality_gap(self) -> Tensor:
        """float64[]: how far the loss is from the smallest one, at most.

        It is per weight of the examples, of the weights before the last pass.
        """
        with name_scope("sdca/approximate_duality_gap"):
            _, values = self._table.export_sharded()
            sums = cast(reduce_sum(concat(values, 0), 0), dtypes.float64)
            primal, dual, weight = sums[1], sums[2], sums[3]
            return (primal + dual + self._penalty(2 * self._l2)) / weight

    def unregularized_loss(self, examples: dict[Any, Any]) -> Tensor:
        """float64[]: the mean loss of examples, see SdcaModel, by weights."""
        with name_scope("sdca/unregularized_loss"):
            wx = cast(self._linear_predictions(examples), dtypes.float64)
            labels = cast(convert_to_tensor(examples["example_labels"]), dtypes.float64)
            weights = convert_to_tensor(examples["example_weights"])
            weights = cast(weights, dtypes.float64)
            if self._loss == "logistic_loss":
                losses = sigmoid_cross_entropy_with_logits(labels=labels, logits=wx)
            elif self._loss == "poisson_loss":
                losses = log_poisson_loss(labels, wx)
            elif self._loss == "squared_loss":
                losses = 0.5 * (labels - wx) ** 2
            else:
                losses = maximum(1 - (2 * labels - 1) * wx, 0.0)
            return reduce_sum(losses * weights) / reduce_sum(weights)

    def regularized_loss(self, examples: dict[Any, Any]) -> Tensor:
        """float64[]: the mean loss of examples, with that of the weights."""
        with name_scope("sdca/regularized_loss"):
            weights = convert_to_tensor(examples["example_weights"])
            total = reduce_sum(cast(weights, dtypes.float64))
            return self._penalty(self._l2) / total + self.unregularized_loss(examples)


def _parts(v: Any) -> list:
    """The parts of a partitioned variable, or the variable."""
    return list(v) if hasattr(v, "_get_partitions") else [v]


def _add_rows(slot, at, change):
    if slot.shape.ndims == 1:
        return scatter_add(slot, at, change)
    return scatter_add(slot, at, expand_dims(change, 1))


def _assigned(v, value):
    """The op that puts a value into a variable or its parts."""
    ops, start = [], 0
    for part in _parts(v):
        rows = part.shape[0].value if part.shape.ndims else None
        own = value if len(_parts(v)) == 1 else value[start : start + rows]
        start += rows or 0
        ops.append(assign(part, reshape(own, shape(part))))
    return group(*ops)
