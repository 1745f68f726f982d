"""Exporting graphs for training and evaluation."""

from typing import Any

from twinflow.base.annotations import Path
from twinflow.estimator.model_fn import ModeKeys


def export_saved_model_for_mode(
    estimator: Any, export_dir_base: Path, input_receiver_fn: Any,
    assets_extra: Any = None, as_text: bool = False,
    checkpoint_path: Path | None = None, strip_default_attrs: bool = False,
    mode: str = ModeKeys.PREDICT,
) -> Any:  # fmt: skip
    """Write the graph of one mode as a SavedModel; see Estimator.export_savedmodel.

    Args:
        estimator: the Estimator. mode: a ModeKeys.
        input_receiver_fn: see build_raw_supervised_input_receiver_fn.
    Returns:
        The folder, bytes.
    """
    return estimator._export_saved_model_for_mode(
        export_dir_base, input_receiver_fn, assets_extra, as_text, checkpoint_path,
        strip_default_attrs, mode,
    )  # fmt: skip


def export_all_saved_models(
    estimator: Any, export_dir_base: Path, input_receiver_fn_map: Any,
    assets_extra: Any = None, as_text: bool = False,
    checkpoint_path: Path | None = None, strip_default_attrs: bool = False,
) -> Any:  # fmt: skip
    """Write the graphs of several modes as one SavedModel.

    Args:
        estimator: the Estimator.
        input_receiver_fn_map: dict from ModeKeys to functions.
        The others: see Estimator.export_savedmodel.
    Returns:
        The folder, bytes.
    """
    return estimator._export_all_saved_models(
        export_dir_base, input_receiver_fn_map, assets_extra, as_text, checkpoint_path,
        strip_default_attrs,
    )  # fmt: skip
