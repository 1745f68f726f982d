"""Linear classifiers of mapped columns."""

from typing import Any

from twinflow.contrib.kernel_methods.mappers import DenseKernelMapper
from twinflow.contrib.layers.column_base import _FeatureColumn
from twinflow.contrib.layers.column_layers import input_from_feature_columns
from twinflow.contrib.layers.column_makers import real_valued_column
from twinflow.contrib.learn import class_heads, heads
from twinflow.contrib.learn.canned import _Classifier
from twinflow.contrib.learn.column_models import by_name, wide_model


def _valid(kernel_mappers: Any) -> bool:
    """Whether it is a dict from columns to lists of maps."""
    if kernel_mappers is None:
        return True
    columns = all(isinstance(c, _FeatureColumn) for c in kernel_mappers)
    maps = (m for ms in kernel_mappers.values() for m in ms)
    return columns and all(isinstance(m, DenseKernelMapper) for m in maps)


def _mapped(features: dict, mappers: dict) -> tuple[dict, list]:
    """The features with the images of columns, and the columns of the images."""
    made, columns = dict(features), []
    for column in sorted(mappers, key=lambda c: c.name):
        points = input_from_feature_columns(features, [column])
        for i, mapper in enumerate(mappers[column]):
            name = f"{column.name}_MAPPED_{i}"
            columns.append(real_valued_column(name, mapper.output_dim))
            made[name] = mapper.map(points)
    return made, columns


def _kernel_model(features, labels, mode, head, columns, mappers, optimizer):
    features, more = _mapped(by_name(features), mappers)
    return wide_model(features, labels, mode, head, [*columns, *more], optimizer)


class _KernelEstimator(_Classifier):
    """A linear model of columns and of maps of columns, below a head."""

    def __init__(
        self, feature_columns: Any = None, model_dir: Any = None,
        weight_column_name: Any = None, head: Any = None, optimizer: Any = None,
        kernel_mappers: Any = None, config: Any = None,
    ) -> None:  # fmt: skip
        if not feature_columns and not kernel_mappers:
            raise ValueError(
                "You should set at least one of feature_columns, kernel_mappers."
            )
        if not _valid(kernel_mappers):
            raise ValueError("Invalid kernel mappers.")
        if not isinstance(head, class_heads._BinaryHead | class_heads._MultiClassHead):
            raise ValueError(
                f"head type: {type(head)} is not supported. Supported head types: "
                "_BinaryLogisticHead, _MultiClassHead."
            )
        super().__init__(
            _kernel_model, head, model_dir, config, None,
            columns=tuple(feature_columns or ()), mappers=kernel_mappers or {},
            optimizer=optimizer,
        )  # fmt: skip


class KernelLinearClassifier(_KernelEstimator):
    """A linear classifier of columns and of their images under kernel maps.

    Args:
        feature_columns: of tf.contrib.layers, taken as they are.
        n_classes: how many classes. weight_column_name: the key of the weights.
        optimizer: an Optimizer. model_dir, config: see tf.contrib.learn.Estimator.
        kernel_mappers: {column: a list of maps}, such as RandomFourierFeatureMapper.
    Raises:
        ValueError: there is no column, or something is no map.
    Example:
        column = tf.contrib.layers.real_valued_column("x", 2)
        mapper = tf.contrib.kernel_methods.RandomFourierFeatureMapper(2, 50)
        model = tf.contrib.kernel_methods.KernelLinearClassifier(
            model_dir="./kernels", kernel_mappers={column: [mapper]})
        def circle():
            x = np.random.RandomState(0).uniform(-2, 2, (8, 2)).astype("f")
            inside = np.less(np.sum(x ** 2, 1), 2)[:, None]
            return dict(x=tf.constant(x)), tf.constant(inside.astype("i"))
        model = model.fit(input_fn=circle, steps=2)
    """

    def __init__(
        self, feature_columns: Any = None, model_dir: Any = None, n_classes: int = 2,
        weight_column_name: Any = None, optimizer: Any = None,
        kernel_mappers: Any = None, config: Any = None,
    ) -> None:  # fmt: skip
        head = heads.multi_class_head(
            n_classes, weight_column_name=weight_column_name, enable_centered_bias=False
        )
        super().__init__(
            feature_columns, model_dir, weight_column_name, head, optimizer,
            kernel_mappers, config,
        )  # fmt: skip
