"""Estimators of tf.contrib.learn with models of their own, on feature columns."""

from typing import Any

from twinflow.contrib.layers.column_layers import infer_real_valued_columns
from twinflow.contrib.learn import column_models, heads
from twinflow.contrib.learn.estimator import Estimator
from twinflow.contrib.learn.feeding import input_fn_of
from twinflow.contrib.learn.keys import PredictionKey
from twinflow.graph.graph import Graph
from twinflow.ops.nn.activation import relu


def infer_real_valued_columns_from_input_fn(input_fn: Any) -> list[Any]:
    """The columns of numbers that an input function gives.

    Args:
        input_fn: gives (features, labels).
    """
    with Graph().as_default():
        features, _ = input_fn()
        return infer_real_valued_columns(features)


def infer_real_valued_columns_from_input(x: Any) -> list[Any]:
    """The columns of numbers of an array.

    Args:
        x: [n, ...], or {name: [n, ...]}.
    Example:
        x = np.ones((8, 3), "float32")
        len(tf.contrib.learn.infer_real_valued_columns_from_input(x))  # 1
    """
    return infer_real_valued_columns_from_input_fn(input_fn_of(x, None, 1, False, 1))


_COLUMNS = ("columns", "linear_columns", "dnn_columns")  # settings of models


class _Columned(Estimator):
    """An Estimator of a model function, a head and settings of both."""

    _usual = PredictionKey.CLASSES

    def __init__(
        self, model: Any, head: Any, model_dir: Any, config: Any, engineer: Any,
        **settings: Any,
    ) -> None:  # fmt: skip
        self._head = head
        parts = (settings.get(key) for key in _COLUMNS)
        self._columns = [column for part in parts for column in part or ()]

        def model_fn(features, labels, mode):
            return model(features, labels, mode, head, **settings)

        super().__init__(model_fn, model_dir, config, None, engineer)

    def _rows(self, key, x, input_fn, batch_size, as_iterable):
        found = Estimator.predict(self, x, input_fn, batch_size, [key], as_iterable)
        return (row[key] for row in found) if as_iterable else found[key]

    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: Any = None,
        outputs: Any = None, as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:  # fmt: skip
        """Classes or scores, or, with `outputs`, dicts of what these name."""
        if not outputs:
            return self._rows(self._usual, x, input_fn, batch_size, as_iterable)
        return super().predict(
            x, input_fn, batch_size, outputs, as_iterable, iterate_batches
        )


class _Classifier(_Columned):
    """What predicts classes."""

    def predict_classes(
        self, x: Any = None, input_fn: Any = None, batch_size: Any = None,
        as_iterable: bool = True,
    ) -> Any:  # fmt: skip
        """The class of each row; see Estimator.predict."""
        key = PredictionKey.CLASSES
        return self._rows(key, x, input_fn, batch_size, as_iterable)

    def predict_proba(
        self, x: Any = None, input_fn: Any = None, batch_size: Any = None,
        as_iterable: bool = True,
    ) -> Any:  # fmt: skip
        """The probabilities of the classes of each row; see Estimator.predict."""
        key = PredictionKey.PROBABILITIES
        return self._rows(key, x, input_fn, batch_size, as_iterable)


class _Regressor(_Columned):
    """What predicts numbers."""

    _usual = PredictionKey.SCORES

    def predict_scores(
        self, x: Any = None, input_fn: Any = None, batch_size: Any = None,
        as_iterable: bool = True,
    ) -> Any:  # fmt: skip
        """The numbers of each row; see Estimator.predict."""
        key = PredictionKey.SCORES
        return self._rows(key, x, input_fn, batch_size, as_iterable)


def _combined(linear, dnn, hidden_units, options):
    """The settings of a model with both parts.

    Raises:
        ValueError: it has no part, or columns of hidden layers without layers.
    """
    linear, dnn = tuple(linear or ()), tuple(dnn or ())
    if not linear and not dnn:
        raise ValueError(
            "Either linear_feature_columns or dnn_feature_columns must be defined."
        )
    if dnn and not hidden_units:
        raise ValueError(
            "dnn_hidden_units must be defined when dnn_feature_columns is specified."
        )
    return {
        "linear_columns": linear, "dnn_columns": dnn, "dnn_hidden_units": hidden_units,
        **options,
    }  # fmt: skip


class DNNClassifier(_Classifier):
    """A classifier with hidden layers.

    Args:
        hidden_units: the sizes of the layers.
        feature_columns: of tf.contrib.layers or tf.feature_column.
        n_classes: how many classes. weight_column_name: the key of the weights.
        optimizer: an Optimizer, or a function that gives one.
        activation_fn: of the layers. dropout: which part is left out in training.
        gradient_clip_norm: the largest norm of all gradients.
        enable_centered_bias: train a bias of its own. model_dir, config,
        feature_engineering_fn: see Estimator.
        embedding_lr_multipliers: {embedding column: factor of its learning rate}.
        input_layer_min_slice_size: accepted.
        label_keys: the names of the classes.
    Example:
        x = np.random.rand(8, 3).astype("float32")
        columns = tf.contrib.learn.infer_real_valued_columns_from_input(x)
        model = tf.contrib.learn.DNNClassifier([4], columns, "./classifier")
        model = model.fit(x, np.array([0, 1] * 4), steps=2)
    """

    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: Any = None,
        n_classes: int = 2, weight_column_name: Any = None,
        optimizer: Any = None, activation_fn: Any = relu, dropout: Any = None,
        gradient_clip_norm: Any = None, enable_centered_bias: bool = False,
        config: Any = None, feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None, input_layer_min_slice_size: Any = None,
        label_keys: Any = None,
    ) -> None:  # fmt: skip
        head = heads.multi_class_head(
            n_classes,
            None,
            weight_column_name,
            enable_centered_bias,
            label_keys=label_keys,
        )
        super().__init__(
            column_models.deep_model, head, model_dir, config, feature_engineering_fn,
            columns=tuple(feature_columns), hidden_units=hidden_units,
            optimizer=optimizer, activation_fn=activation_fn, dropout=dropout,
            gradient_clip_norm=gradient_clip_norm, multipliers=embedding_lr_multipliers,
        )  # fmt: skip


class DNNRegressor(_Regressor):
    """A regression with hidden layers.

    Args:
        hidden_units: the sizes of the layers.
        feature_columns: of tf.contrib.layers or tf.feature_column.
        label_dimension: how many numbers are predicted.
        weight_column_name: the key of the weights.
        optimizer: an Optimizer, or a function that gives one.
        activation_fn: of the layers. dropout: which part is left out in training.
        gradient_clip_norm: the largest norm of all gradients.
        enable_centered_bias: train a bias of its own. model_dir, config,
        feature_engineering_fn: see Estimator.
        embedding_lr_multipliers: {embedding column: factor of its learning rate}.
        input_layer_min_slice_size: accepted.
    """

    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: Any = None,
        weight_column_name: Any = None,
        optimizer: Any = None, activation_fn: Any = relu, dropout: Any = None,
        gradient_clip_norm: Any = None, enable_centered_bias: bool = False,
        config: Any = None, feature_engineering_fn: Any = None,
        label_dimension: int = 1, embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: Any = None,
    ) -> None:  # fmt: skip
        head = heads.regression_head(
            None, weight_column_name, label_dimension, enable_centered_bias
        )
        super().__init__(
            column_models.deep_model, head, model_dir, config, feature_engineering_fn,
            columns=tuple(feature_columns), hidden_units=hidden_units,
            optimizer=optimizer, activation_fn=activation_fn, dropout=dropout,
            gradient_clip_norm=gradient_clip_norm, multipliers=embedding_lr_multipliers,
        )  # fmt: skip


class LinearClassifier(_Classifier):
    """A linear classifier.

    Args:
        feature_columns: of tf.contrib.layers or tf.feature_column.
        n_classes: how many classes. weight_column_name: the key of the weights.
        optimizer: an Optimizer, or a function that gives one.
        gradient_clip_norm: the largest norm of all gradients.
        enable_centered_bias: train a bias of its own. model_dir, config,
        feature_engineering_fn: see Estimator.
        label_keys: the names of the classes.
    """

    def __init__(
        self, feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
        weight_column_name: Any = None, optimizer: Any = None,
        gradient_clip_norm: Any = None, enable_centered_bias: bool = False,
        _joint_weight: bool = False, config: Any = None,
        feature_engineering_fn: Any = None, label_keys: Any = None,
    ) -> None:  # fmt: skip
        head = heads.multi_class_head(
            n_classes,
            None,
            weight_column_name,
            enable_centered_bias,
            label_keys=label_keys,
        )
        super().__init__(
            column_models.wide_model, head, model_dir, config, feature_engineering_fn,
            columns=tuple(feature_columns), optimizer=optimizer,
            gradient_clip_norm=gradient_clip_norm,
        )  # fmt: skip


class LinearRegressor(_Regressor):
    """A linear regression.

    Args:
        feature_columns: of tf.contrib.layers or tf.feature_column.
        label_dimension: how many numbers are predicted.
        weight_column_name: the key of the weights.
        optimizer: an Optimizer, or a function that gives one.
        gradient_clip_norm: the largest norm of all gradients.
        enable_centered_bias: train a bias of its own. model_dir, config,
        feature_engineering_fn: see Estimator.
    """

    def __init__(
        self, feature_columns: Any, model_dir: Any = None,
        weight_column_name: Any = None, optimizer: Any = None,
        gradient_clip_norm: Any = None,
        enable_centered_bias: bool = False, label_dimension: int = 1,
        _joint_weights: bool = False, config: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None:  # fmt: skip
        head = heads.regression_head(
            None, weight_column_name, label_dimension, enable_centered_bias
        )
        super().__init__(
            column_models.wide_model, head, model_dir, config, feature_engineering_fn,
            columns=tuple(feature_columns), optimizer=optimizer,
            gradient_clip_norm=gradient_clip_norm,
        )  # fmt: skip


class DNNLinearCombinedClassifier(_Classifier):
    """A classifier of a linear model and hidden layers.

    Args:
        n_classes: how many classes. weight_column_name: the key of the weights.
        linear_feature_columns, dnn_feature_columns: of tf.contrib.layers or
            tf.feature_column. linear_optimizer, dnn_optimizer: Optimizers.
        dnn_hidden_units: the sizes of the layers. dnn_activation_fn: of them.
        dnn_dropout: which part is left out in training.
        embedding_lr_multipliers: {embedding column: factor of its learning rate}.
        input_layer_min_slice_size: accepted.
        fix_global_step_increment_bug: count each step once, not once a part.
        gradient_clip_norm: the largest norm of all gradients.
        enable_centered_bias: train a bias of its own. model_dir, config,
        feature_engineering_fn: see Estimator.
        label_keys: the names of the classes.
    """

    def __init__(
        self, model_dir: Any = None, n_classes: int = 2, weight_column_name: Any = None,
        linear_feature_columns: Any = None, linear_optimizer: Any = None,
        _joint_linear_weights: bool = False, dnn_feature_columns: Any = None,
        dnn_optimizer: Any = None, dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = relu, dnn_dropout: Any = None,
        gradient_clip_norm: Any = None, enable_centered_bias: bool = False,
        config: Any = None, feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None, input_layer_min_slice_size: Any = None,
        label_keys: Any = None, fix_global_step_increment_bug: bool = False,
    ) -> None:  # fmt: skip
        settings = _combined(
            linear_feature_columns, dnn_feature_columns, dnn_hidden_units,
            {
                "linear_optimizer": linear_optimizer, "dnn_optimizer": dnn_optimizer,
                "activation_fn": dnn_activation_fn, "dropout": dnn_dropout,
                "gradient_clip_norm": gradient_clip_norm,
                "once": fix_global_step_increment_bug,
                "multipliers": embedding_lr_multipliers,
            },
        )  # fmt: skip
        head = heads.multi_class_head(
            n_classes,
            None,
            weight_column_name,
            enable_centered_bias,
            label_keys=label_keys,
        )
        super().__init__(
            column_models.combined_model, head, model_dir, config,
            feature_engineering_fn, **settings,
        )  # fmt: skip


class DNNLinearCombinedRegressor(_Regressor):
    """A regression of a linear model and hidden layers.

    Args:
        label_dimension: how many numbers are predicted.
        weight_column_name: the key of the weights.
        linear_feature_columns, dnn_feature_columns: of tf.contrib.layers or
            tf.feature_column. linear_optimizer, dnn_optimizer: Optimizers.
        dnn_hidden_units: the sizes of the layers. dnn_activation_fn: of them.
        dnn_dropout: which part is left out in training.
        embedding_lr_multipliers: {embedding column: factor of its learning rate}.
        input_layer_min_slice_size: accepted.
        fix_global_step_increment_bug: count each step once, not once a part.
        gradient_clip_norm: the largest norm of all gradients.
        enable_centered_bias: train a bias of its own. model_dir, config,
        feature_engineering_fn: see Estimator.
    """

    def __init__(
        self, model_dir: Any = None, weight_column_name: Any = None,
        linear_feature_columns: Any = None, linear_optimizer: Any = None,
        _joint_linear_weights: bool = False, dnn_feature_columns: Any = None,
        dnn_optimizer: Any = None, dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = relu, dnn_dropout: Any = None,
        gradient_clip_norm: Any = None, enable_centered_bias: bool = False,
        label_dimension: int = 1, config: Any = None,
        feature_engineering_fn: Any = None, embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: Any = None,
        fix_global_step_increment_bug: bool = False,
    ) -> None:  # fmt: skip
        settings = _combined(
            linear_feature_columns, dnn_feature_columns, dnn_hidden_units,
            {
                "linear_optimizer": linear_optimizer, "dnn_optimizer": dnn_optimizer,
                "activation_fn": dnn_activation_fn, "dropout": dnn_dropout,
                "gradient_clip_norm": gradient_clip_norm,
                "once": fix_global_step_increment_bug,
                "multipliers": embedding_lr_multipliers,
            },
        )  # fmt: skip
        head = heads.regression_head(
            None, weight_column_name, label_dimension, enable_centered_bias
        )
        super().__init__(
            column_models.combined_model, head, model_dir, config,
            feature_engineering_fn, **settings,
        )  # fmt: skip


class DNNEstimator(_Columned):
    """Hidden layers below a head.

    Args:
        head: a Head.
        hidden_units: the sizes of the layers.
        feature_columns: of tf.contrib.layers or tf.feature_column.
        optimizer: an Optimizer, or a function that gives one.
        activation_fn: of the layers. dropout: which part is left out in training.
        gradient_clip_norm: the largest norm of all gradients.
        model_dir, config, feature_engineering_fn: see Estimator.
        embedding_lr_multipliers: {embedding column: factor of its learning rate}.
        input_layer_min_slice_size: accepted.
    """

    def __init__(
        self, head: Any, hidden_units: Any, feature_columns: Any, model_dir: Any = None,
        optimizer: Any = None, activation_fn: Any = relu, dropout: Any = None,
        gradient_clip_norm: Any = None, config: Any = None,
        feature_engineering_fn: Any = None, embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            column_models.deep_model, head, model_dir, config, feature_engineering_fn,
            columns=tuple(feature_columns), hidden_units=hidden_units,
            optimizer=optimizer, activation_fn=activation_fn, dropout=dropout,
            gradient_clip_norm=gradient_clip_norm, multipliers=embedding_lr_multipliers,
        )  # fmt: skip


class LinearEstimator(_Columned):
    """A linear model below a head.

    Args:
        head: a Head.
        feature_columns: of tf.contrib.layers or tf.feature_column.
        optimizer: an Optimizer, or a function that gives one.
        gradient_clip_norm: the largest norm of all gradients.
        weight_column_name: accepted.
        model_dir, config, feature_engineering_fn: see Estimator.
    """

    def __init__(
        self, feature_columns: Any, head: Any, model_dir: Any = None,
        weight_column_name: Any = None, optimizer: Any = None,
        gradient_clip_norm: Any = None, _joint_weights: bool = False,
        config: Any = None, feature_engineering_fn: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            column_models.wide_model, head, model_dir, config, feature_engineering_fn,
            columns=tuple(feature_columns), optimizer=optimizer,
            gradient_clip_norm=gradient_clip_norm,
        )  # fmt: skip
