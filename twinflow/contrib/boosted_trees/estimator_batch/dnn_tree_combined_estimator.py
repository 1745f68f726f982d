"""Estimators that first train a network, and then trees on what it leaves over."""

from typing import Any, NamedTuple

from twinflow.base import dtypes
from twinflow.contrib.boosted_trees.ensemble_variable import tree_ensemble_variable
from twinflow.contrib.boosted_trees.estimator_batch.distillation_loss import (
    create_dnn_to_tree_cross_entropy_loss_fn,
)
from twinflow.contrib.boosted_trees.estimator_batch.model import (
    ModelBuilderOutputType,
    add_step,
    ops_of_head,
)
from twinflow.contrib.boosted_trees.estimator_batch.trainer_hooks import (
    StopAfterNTrees,
    SwitchTrainOp,
)
from twinflow.contrib.boosted_trees.training import (
    PREDICTIONS,
    GradientBoostedDecisionTreeModel,
)
from twinflow.contrib.layers.column_layers import input_from_feature_columns
from twinflow.contrib.layers.column_makers import real_valued_column
from twinflow.contrib.layers.dense import fully_connected
from twinflow.contrib.layers.optimize import optimize_loss
from twinflow.contrib.learn import heads
from twinflow.contrib.learn.estimator import Estimator
from twinflow.estimator.estimator import Estimator as CoreEstimator
from twinflow.estimator.model_fn import ModeKeys
from twinflow.feature_column.layers import input_layer as core_input_layer
from twinflow.feature_column.makers import numeric_column
from twinflow.graph.scopes import group, name_scope
from twinflow.graph.variable_scope import variable_scope
from twinflow.ops.core.constant import cast, stop_gradient
from twinflow.ops.core.no_op import no_op
from twinflow.ops.nn.activation import relu
from twinflow.ops.nn.dropout import dropout
from twinflow.ops.variables.collections import GraphKeys, get_collection
from twinflow.summary import summaries
from twinflow.train.training_util import get_global_step

__all__ = [
    "CoreDNNBoostedTreeCombinedEstimator", "DNNBoostedTreeCombinedClassifier",
    "DNNBoostedTreeCombinedEstimator", "DNNBoostedTreeCombinedRegressor",
]  # fmt: skip

_DNN_LEARNING_RATE = 0.001
_INPUT_LAYER = "dnn_input_layer"


class Combination(NamedTuple):
    """What is chosen of a network and trees; see DNNBoostedTreeCombinedEstimator."""

    dnn_hidden_units: Any
    dnn_feature_columns: Any
    tree_learner_config: Any
    num_trees: int
    tree_examples_per_layer: Any
    dnn_optimizer: Any = "Adagrad"
    dnn_activation_fn: Any = relu
    dnn_dropout: float | None = None
    dnn_input_layer_partitioner: Any = None
    dnn_input_layer_to_tree: bool = True
    dnn_steps_to_train: int = 10000
    predict_with_tree_only: bool = False
    tree_feature_columns: Any = None
    tree_center_bias: bool = False
    dnn_to_tree_distillation_param: Any = None
    use_core_versions: bool = False
    override_global_step_value: int | None = None

    def network(
        self, features: dict[Any, Any], mode: str, logits_dimension: int
    ) -> tuple[Any, ...]:
        """(the input layer, the logits) of the network."""
        with variable_scope(
            "dnn", values=tuple(features.values()),
            partitioner=self.dnn_input_layer_partitioner,
        ):  # fmt: skip
            with variable_scope("input_from_feature_columns") as scope:
                if self.use_core_versions:
                    first = core_input_layer(features, self.dnn_feature_columns)
                else:
                    first = input_from_feature_columns(
                        features, self.dnn_feature_columns, scope=scope
                    )
            net = first
            for number, units in enumerate(self.dnn_hidden_units):
                with variable_scope(f"hiddenlayer_{number}") as scope:
                    net = fully_connected(
                        net, units, activation_fn=self.dnn_activation_fn, scope=scope
                    )
                    if self.dnn_dropout is not None and mode == ModeKeys.TRAIN:
                        net = dropout(net, keep_prob=1.0 - self.dnn_dropout)
                summaries.histogram(f"hiddenlayer_{number}/activation", net)
            with variable_scope("logits") as scope:
                logits = fully_connected(
                    net, logits_dimension, activation_fn=None, scope=scope
                )
        return first, logits

    def train_network(self, loss: Any) -> Any:
        """The op of a step of the network."""
        return optimize_loss(
            loss, get_global_step(), _DNN_LEARNING_RATE, self.dnn_optimizer, name="dnn",
            variables=get_collection(GraphKeys.TRAINABLE_VARIABLES, scope="dnn"),
            summaries=[],
        )  # fmt: skip

    def trees(
        self, features: dict[Any, Any], first: Any, head: Any, config: Any
    ) -> Any:
        """The trees, whose features may have the input layer of the network."""
        columns = list(self.tree_feature_columns or ())
        if self.dnn_input_layer_to_tree:
            features = {**features, _INPUT_LAYER: first}
            size = first.shape[1].value
            if columns and self.use_core_versions:
                columns.append(numeric_column(_INPUT_LAYER, (size,)))
            elif columns:
                columns.append(real_valued_column(_INPUT_LAYER, size))
        return GradientBoostedDecisionTreeModel(
            is_chief=config.is_chief, num_ps_replicas=config.num_ps_replicas,
            ensemble_handle=tree_ensemble_variable(0, "", name="ensemble_model"),
            center_bias=self.tree_center_bias,
            examples_per_layer=self.tree_examples_per_layer,
            learner_config=self.tree_learner_config, feature_columns=columns or None,
            logits_dimension=head.logits_dimension, features=features,
            use_core_columns=self.use_core_versions,
        )  # fmt: skip

    def distilled(self, loss: Any, dnn: Any, tree: Any, head: Any, weights: Any) -> Any:
        """The loss of the trees, with what they are to learn of the network."""
        if self.dnn_to_tree_distillation_param is None:
            return loss
        share, loss_fn = self.dnn_to_tree_distillation_param
        if loss_fn is None:
            loss_fn = create_dnn_to_tree_cross_entropy_loss_fn(
                max(2, head.logits_dimension)
            )
        more = share * loss_fn(stop_gradient(dnn), tree, weights)
        summaries.scalar("dnn_to_tree_distillation_loss", more)
        return loss + more


def _weights_of(head, features):
    name = getattr(head, "_weight_column_name", None) or getattr(
        head, "_weight_column", None
    )
    if not isinstance(name, str):
        return 1.0
    return cast(features[name], dtypes.float32)


def _dnn_tree_combined_model_fn(
    features: dict, labels: Any, mode: str, head: Any, dnn_hidden_units: Any,
    dnn_feature_columns: Any, tree_learner_config: Any, num_trees: int,
    tree_examples_per_layer: Any, config: Any = None,
    output_type: int = ModelBuilderOutputType.MODEL_FN_OPS, **others: Any,
) -> Any:  # fmt: skip
    """The model function of a network and trees: see `Combination`.

    Args:
        features: {name: tensor}. labels: a tensor, or None. mode: a ModeKeys.
        head: a head. config: a RunConfig. output_type: of ModelBuilderOutputType.
    Returns:
        ModelFnOps or an EstimatorSpec.
    Raises:
        ValueError: features are no dict, or there are no columns for the network.
    """
    if not isinstance(features, dict):
        raise ValueError(
            "features should be a dictionary of `Tensor`s. "
            f"Given type: {type(features)}"
        )
    if not dnn_feature_columns:
        raise ValueError("dnn_feature_columns must be specified")
    chosen = Combination(
        dnn_hidden_units, dnn_feature_columns, tree_learner_config, num_trees,
        tree_examples_per_layer, **others,
    )  # fmt: skip
    first, dnn = chosen.network(features, mode, head.logits_dimension)
    model = chosen.trees(features, first, head, config)
    with name_scope("gbdt"):
        found = model.predict(mode)
    tree = found[PREDICTIONS]
    together = tree if chosen.predict_with_tree_only else dnn + tree
    weights = _weights_of(head, features)

    def train_trees(loss):
        loss = chosen.distilled(loss, dnn, tree, head, weights)
        return add_step(model.train(loss, found, labels))

    parts = {"features": features, "mode": mode, "labels": labels}
    hooks = []
    if mode == ModeKeys.TRAIN:
        ops = [
            ops_of_head(
                head, output_type, [], None, **parts, train_op_fn=fn, logits=logits
            ).train_op
            for fn, logits in ((chosen.train_network, dnn), (train_trees, together))
        ]
        finalized, attempted = model.get_number_of_trees_tensor()
        hooks = [
            SwitchTrainOp(group([ops[0]]), chosen.dnn_steps_to_train, group([ops[1]])),
            StopAfterNTrees(
                num_trees + bool(chosen.tree_center_bias), attempted, finalized,
                chosen.override_global_step_value,
            ),
        ]  # fmt: skip
    return ops_of_head(
        head, output_type, hooks, None, **parts, train_op_fn=lambda loss: no_op(),
        logits=together,
    )  # fmt: skip


class DNNBoostedTreeCombinedEstimator(Estimator):
    """A network, and then trees on what it leaves over.

    Args:
        dnn_hidden_units: list of int, the layers of the network.
        dnn_feature_columns: its columns. tree_learner_config: a LearnerConfig.
        num_trees: int. tree_examples_per_layer: see
            GradientBoostedDecisionTreeEstimator. head: a head.
        model_dir, config, feature_engineering_fn: see tf.contrib.learn.Estimator.
        dnn_optimizer: name or Optimizer. dnn_activation_fn: of the layers.
        dnn_dropout: which share of a layer is left out.
        dnn_input_layer_partitioner: of the variables of the network.
        dnn_input_layer_to_tree: whether trees see the input layer of the network.
        dnn_steps_to_train: how many steps the network has before the trees.
        predict_with_tree_only: whether the network is left out of predictions.
        tree_feature_columns: of the trees, or None: the features as they are.
        tree_center_bias: whether the first tree is a bias.
        dnn_to_tree_distillation_param: (share, loss or None): trees also learn what
            the network says: see `create_dnn_to_tree_cross_entropy_loss_fn`.
        use_core_versions: whether columns and head are those of tf.estimator.
        override_global_step_value: what the global step is in the end.
    """

    def __init__(
        self, dnn_hidden_units: Any, dnn_feature_columns: Any, tree_learner_config: Any,
        num_trees: int, tree_examples_per_layer: Any, head: Any, model_dir: Any = None,
        config: Any = None, feature_engineering_fn: Any = None,
        dnn_optimizer: Any = "Adagrad", dnn_activation_fn: Any = relu,
        dnn_dropout: float | None = None, dnn_input_layer_partitioner: Any = None,
        dnn_input_layer_to_tree: bool = True, dnn_steps_to_train: int = 10000,
        predict_with_tree_only: bool = False, tree_feature_columns: Any = None,
        tree_center_bias: bool = False, dnn_to_tree_distillation_param: Any = None,
        use_core_versions: bool = False, override_global_step_value: int | None = None,
    ) -> None:  # fmt: skip
        chosen = Combination(
            dnn_hidden_units, dnn_feature_columns, tree_learner_config, num_trees,
            tree_examples_per_layer, dnn_optimizer, dnn_activation_fn, dnn_dropout,
            dnn_input_layer_partitioner, dnn_input_layer_to_tree, dnn_steps_to_train,
            predict_with_tree_only, tree_feature_columns, tree_center_bias,
            dnn_to_tree_distillation_param, use_core_versions,
            override_global_step_value,
        )  # fmt: skip

        def model_fn(features, labels, mode, params, config):
            return _dnn_tree_combined_model_fn(
                features, labels, mode, params["head"], config=config,
                **params["chosen"]._asdict(),
            )  # fmt: skip

        params = {"head": head, "chosen": chosen}
        super().__init__(model_fn, model_dir, config, params, feature_engineering_fn)


class DNNBoostedTreeCombinedClassifier(DNNBoostedTreeCombinedEstimator):
    """A network and trees that tell classes apart.

    Args:
        n_classes: int. weight_column_name: the key of the examples' weights.
        label_name: the key of the labels, where these are a dict. label_keys: the names
            of the classes. The others: see DNNBoostedTreeCombinedEstimator.
    """

    def __init__(
        self, dnn_hidden_units: Any, dnn_feature_columns: Any, tree_learner_config: Any,
        num_trees: int, tree_examples_per_layer: Any, n_classes: int = 2,
        weight_column_name: str | None = None, model_dir: Any = None,
        config: Any = None, label_name: str | None = None, label_keys: Any = None,
        feature_engineering_fn: Any = None, dnn_optimizer: Any = "Adagrad",
        dnn_activation_fn: Any = relu, dnn_dropout: float | None = None,
        dnn_input_layer_partitioner: Any = None, dnn_input_layer_to_tree: bool = True,
        dnn_steps_to_train: int = 10000, predict_with_tree_only: bool = False,
        tree_feature_columns: Any = None, tree_center_bias: bool = False,
        dnn_to_tree_distillation_param: Any = None, use_core_versions: bool = False,
        override_global_step_value: int | None = None,
    ) -> None:  # fmt: skip
        head = heads.multi_class_head(
            n_classes, label_name, weight_column_name, label_keys=label_keys
        )
        if not tree_learner_config.num_classes:
            tree_learner_config.num_classes = n_classes
        super().__init__(
            dnn_hidden_units, dnn_feature_columns, tree_learner_config, num_trees,
            tree_examples_per_layer, head, model_dir, config, feature_engineering_fn,
            dnn_optimizer, dnn_activation_fn, dnn_dropout, dnn_input_layer_partitioner,
            dnn_input_layer_to_tree, dnn_steps_to_train, predict_with_tree_only,
            tree_feature_columns, tree_center_bias, dnn_to_tree_distillation_param,
            use_core_versions, override_global_step_value,
        )  # fmt: skip


class DNNBoostedTreeCombinedRegressor(DNNBoostedTreeCombinedEstimator):
    """A network and trees that predict numbers.

    Args:
        label_dimension: int. weight_column_name: the key of the examples' weights.
        label_name: the key of the labels, where these are a dict.
        The others: see DNNBoostedTreeCombinedEstimator.
    """

    def __init__(
        self, dnn_hidden_units: Any, dnn_feature_columns: Any, tree_learner_config: Any,
        num_trees: int, tree_examples_per_layer: Any,
        weight_column_name: str | None = None, model_dir: Any = None,
        config: Any = None, label_name: str | None = None, label_dimension: int = 1,
        feature_engineering_fn: Any = None, dnn_optimizer: Any = "Adagrad",
        dnn_activation_fn: Any = relu, dnn_dropout: float | None = None,
        dnn_input_layer_partitioner: Any = None, dnn_input_layer_to_tree: bool = True,
        dnn_steps_to_train: int = 10000, predict_with_tree_only: bool = False,
        tree_feature_columns: Any = None, tree_center_bias: bool = False,
        dnn_to_tree_distillation_param: Any = None, use_core_versions: bool = False,
        override_global_step_value: int | None = None,
    ) -> None:  # fmt: skip
        head = heads.regression_head(label_name, weight_column_name, label_dimension)
        tree_learner_config.num_classes = max(label_dimension, 2)
        super().__init__(
            dnn_hidden_units, dnn_feature_columns, tree_learner_config, num_trees,
            tree_examples_per_layer, head, model_dir, config, feature_engineering_fn,
            dnn_optimizer, dnn_activation_fn, dnn_dropout, dnn_input_layer_partitioner,
            dnn_input_layer_to_tree, dnn_steps_to_train, predict_with_tree_only,
            tree_feature_columns, tree_center_bias, dnn_to_tree_distillation_param,
            use_core_versions, override_global_step_value,
        )  # fmt: skip


class CoreDNNBoostedTreeCombinedEstimator(CoreEstimator):
    """A network and trees, as an Estimator of tf.estimator.

    Args: see DNNBoostedTreeCombinedEstimator.
    """

    def __init__(
        self, dnn_hidden_units: Any, dnn_feature_columns: Any, tree_learner_config: Any,
        num_trees: int, tree_examples_per_layer: Any, head: Any, model_dir: Any = None,
        config: Any = None, dnn_optimizer: Any = "Adagrad",
        dnn_activation_fn: Any = relu, dnn_dropout: float | None = None,
        dnn_input_layer_partitioner: Any = None, dnn_input_layer_to_tree: bool = True,
        dnn_steps_to_train: int = 10000, predict_with_tree_only: bool = False,
        tree_feature_columns: Any = None, tree_center_bias: bool = False,
        dnn_to_tree_distillation_param: Any = None,
    ) -> None:  # fmt: skip
        chosen = Combination(
            dnn_hidden_units, dnn_feature_columns, tree_learner_config, num_trees,
            tree_examples_per_layer, dnn_optimizer, dnn_activation_fn, dnn_dropout,
            dnn_input_layer_partitioner, dnn_input_layer_to_tree, dnn_steps_to_train,
            predict_with_tree_only, tree_feature_columns, tree_center_bias,
            dnn_to_tree_distillation_param, True,
        )  # fmt: skip

        def model_fn(features, labels, mode, config):
            return _dnn_tree_combined_model_fn(
                features, labels, mode, head, config=config,
                output_type=ModelBuilderOutputType.ESTIMATOR_SPEC, **chosen._asdict(),
            )  # fmt: skip

        super().__init__(model_fn, model_dir, config)
