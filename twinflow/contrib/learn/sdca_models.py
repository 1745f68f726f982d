"""Estimators of tf.contrib.learn that dual coordinate ascent trains."""

from typing import Any

from twinflow.contrib.learn import heads
from twinflow.contrib.learn.canned import _Classifier, _Columned, _Regressor
from twinflow.contrib.learn.dual_models import dual_model
from twinflow.contrib.linear_optimizer.sdca_optimizer import SDCAOptimizer


class _SDCAEstimator(_Columned):
    """An Estimator of a head and columns, and dual coordinate ascent."""

    def __init__(
        self, example_id_column: str, feature_columns: Any,
        weight_column_name: Any = None, model_dir: Any = None, head: Any = None,
        l1_regularization: float = 0.0, l2_regularization: float = 1.0,
        num_loss_partitions: Any = None, config: Any = None,
        feature_engineering_fn: Any = None, partitioner: Any = None,
    ) -> None:  # fmt: skip
        optimizer = SDCAOptimizer(
            example_id_column, num_loss_partitions or 1,
            symmetric_l1_regularization=l1_regularization,
            symmetric_l2_regularization=l2_regularization, partitioner=partitioner,
        )  # fmt: skip
        super().__init__(
            dual_model, head, model_dir, config, feature_engineering_fn,
            columns=tuple(feature_columns), optimizer=optimizer,
            weight_column_name=weight_column_name,
        )  # fmt: skip


class SDCALogisticClassifier(_Classifier, _SDCAEstimator):
    """A logistic regression of two classes; see SDCAOptimizer and SVM."""

    def __init__(
        self, example_id_column: str, feature_columns: Any,
        weight_column_name: Any = None, model_dir: Any = None,
        l1_regularization: float = 0.0, l2_regularization: float = 1.0,
        num_loss_partitions: Any = None, config: Any = None,
        feature_engineering_fn: Any = None, partitioner: Any = None,
    ) -> None:  # fmt: skip
        head = heads.multi_class_head(2, weight_column_name=weight_column_name)
        _SDCAEstimator.__init__(
            self, example_id_column, feature_columns, weight_column_name, model_dir,
            head, l1_regularization, l2_regularization, num_loss_partitions, config,
            feature_engineering_fn, partitioner,
        )  # fmt: skip


class SDCALinearRegressor(_Regressor, _SDCAEstimator):
    """A linear regression; see SDCAOptimizer and SVM."""

    def __init__(
        self, example_id_column: str, feature_columns: Any,
        weight_column_name: Any = None, model_dir: Any = None,
        l1_regularization: float = 0.0, l2_regularization: float = 1.0,
        num_loss_partitions: Any = None, config: Any = None,
        feature_engineering_fn: Any = None, partitioner: Any = None,
    ) -> None:  # fmt: skip
        head = heads.regression_head(weight_column_name=weight_column_name)
        _SDCAEstimator.__init__(
            self, example_id_column, feature_columns, weight_column_name, model_dir,
            head, l1_regularization, l2_regularization, num_loss_partitions, config,
            feature_engineering_fn, partitioner,
        )  # fmt: skip


class SVM(_Classifier, _SDCAEstimator):
    """A linear support vector machine of two classes.

    Args:
        example_id_column: the key of string[n], which example is which.
        feature_columns: of tf.contrib.layers.
        weight_column_name: the key of the examples' weights.
        l1_regularization, l2_regularization, num_loss_partitions: see SdcaModel.
        kernels: accepted as None alone: map the features yourself, as with
            tf.contrib.kernel_methods.RandomFourierFeatureMapper.
        model_dir, config, feature_engineering_fn: see Estimator.
    Raises:
        ValueError: there are kernels.
    Example:
        columns = [tf.contrib.layers.real_valued_column("x", 2)]
        model = tf.contrib.learn.SVM("id", columns, model_dir="./svm")
        def few():
            x = tf.constant([[0., 1.], [1., 0.]])
            return dict(id=tf.constant(["1", "2"]), x=x), tf.constant([[0], [1]])
        model = model.fit(input_fn=few, steps=5)
    """

    def __init__(
        self, example_id_column: str, feature_columns: Any,
        weight_column_name: Any = None, model_dir: Any = None,
        l1_regularization: float = 0.0, l2_regularization: float = 0.0,
        num_loss_partitions: int = 1, kernels: Any = None, config: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None:  # fmt: skip
        if kernels is not None:
            raise ValueError("Kernel SVMs are not currently supported.")
        head = heads.binary_svm_head(weight_column_name=weight_column_name)
        _SDCAEstimator.__init__(
            self, example_id_column, feature_columns, weight_column_name, model_dir,
            head, l1_regularization, l2_regularization, num_loss_partitions, config,
            feature_engineering_fn,
        )  # fmt: skip
