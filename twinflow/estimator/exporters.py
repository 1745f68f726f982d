"""Exporters: SavedModels written after an evaluation."""

import contextlib
import os
from collections.abc import Callable
from typing import Any

from twinflow.base import errors, files, logging
from twinflow.base.annotations import Path
from twinflow.estimator import old_exports
from twinflow.summary.writer import summary_iterator


class Exporter:
    """The base of exporters.

    Attributes:
        name: of the folder below `export/`.
    """

    name = ""

    def export(
        self, estimator: Any, export_path: Any, checkpoint_path: Any, eval_result: Any,
        is_the_final_export: Any,
    ) -> Any:  # fmt: skip
        """Write the model, or do not; returns its folder or None."""
        raise NotImplementedError(f"{type(self).__name__} does not define export().")


class _Saving(Exporter):
    """Writes with Estimator.export_savedmodel.

    Args:
        name: of the folder. serving_input_receiver_fn: see export_savedmodel.
        assets_extra, as_text: see there.
    """

    def __init__(
        self, name: str, serving_input_receiver_fn: Callable[..., Any],
        assets_extra: Any = None, as_text: bool = False,
    ) -> None:  # fmt: skip
        self.name, self._receiver_fn = name, serving_input_receiver_fn
        self._assets_extra, self._as_text = assets_extra, as_text

    def _save(self, estimator, export_path, checkpoint_path):
        return estimator.export_savedmodel(
            export_path, self._receiver_fn, assets_extra=self._assets_extra,
            as_text=self._as_text, checkpoint_path=checkpoint_path,
            strip_default_attrs=True,
        )  # fmt: skip


class FinalExporter(_Saving):
    """Writes the model at the end of the training; arguments as of _Saving."""

    def export(
        self, estimator: Any, export_path: Path, checkpoint_path: Path,
        eval_result: Any, is_the_final_export: Any,
    ) -> Any:  # fmt: skip
        if not is_the_final_export:
            return None
        logging.info("Performing the final export in the end of training.")
        return self._save(estimator, export_path, checkpoint_path)


def _remove_old(folder, most):
    if most is None or not files.Exists(folder):
        return
    not_kept = old_exports.negation(old_exports.largest_export_versions(most))
    for path in not_kept(old_exports.paths_of(folder, _numbered)):
        files.DeleteRecursively(path.path)


def _numbered(path):
    """The Path with its number; None for a folder that is no export."""
    name = os.path.basename(path.path)
    return path._replace(export_version=int(name)) if name.isdigit() else None


class LatestExporter(_Saving):
    """Writes the model after each evaluation, and keeps the last few.

    Args:
        exports_to_keep: how many; None: all. The others: as of _Saving.
    """

    def __init__(
        self, name: str, serving_input_receiver_fn: Callable[..., Any],
        assets_extra: Any = None,
        as_text: bool = False, exports_to_keep: int | None = 5,
    ) -> None:  # fmt: skip
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        self._keep = _checked_count(exports_to_keep)

    def export(
        self, estimator: Any, export_path: Path, checkpoint_path: Path,
        eval_result: Any, is_the_final_export: Any,
    ) -> bytes:  # fmt: skip
        found = self._save(estimator, export_path, checkpoint_path)
        _remove_old(export_path, self._keep)
        return found


def _loss_smaller(best_eval_result, current_eval_result):
    """Whether the loss has become smaller."""
    return current_eval_result["loss"] < best_eval_result["loss"]


class BestExporter(_Saving):
    """Writes the model when it is better than all before.

    Args:
        name: of the folder. serving_input_receiver_fn: see export_savedmodel.
        event_file_pattern: the event files below the folder of the model in which the
            results of former programs are found; None: only those of this one count.
        compare_fn: (best, current) -> whether the current result is better; by default
            that with the smaller loss.
        assets_extra, as_text: see there. exports_to_keep: how many; None: all.
    """

    _read: Any
    _best: Any

    def __init__(
        self, name: str = "best_exporter", serving_input_receiver_fn: Any = None,
        event_file_pattern: str | None = "eval/*.tfevents.*",
        compare_fn: Callable[..., Any] = _loss_smaller, assets_extra: Any = None,
        as_text: bool = False, exports_to_keep: int | None = 5,
    ) -> None:  # fmt: skip
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        if compare_fn is None:
            raise ValueError("`compare_fn` must not be None.")
        self._compare_fn, self._keep = compare_fn, _checked_count(exports_to_keep)
        self._best, self._pattern, self._read = None, event_file_pattern, None

    def _former_best(self, estimator, eval_result):
        """The best result in the event files, but for the one at hand."""
        pattern = os.path.join(estimator.model_dir, self._pattern)
        paths, now, best = [], int(eval_result.get("global_step", -1)), self._best
        with contextlib.suppress(errors.NotFoundError):  # there is no such folder yet
            paths = files.Glob(pattern)
        for path in sorted(paths):
            for step, found in _results(path):
                if step != now and (best is None or self._is_better(best, found)):
                    best = found
        return best

    def _is_better(self, best, current):
        return self._compare_fn(best_eval_result=best, current_eval_result=current)

    def export(
        self, estimator: Any, export_path: Path, checkpoint_path: Path,
        eval_result: Any, is_the_final_export: Any,
    ) -> Any:  # fmt: skip
        if self._pattern and self._read != estimator.model_dir:
            self._read = estimator.model_dir
            self._best = self._former_best(estimator, eval_result)
        if self._best is not None and not self._is_better(self._best, eval_result):
            return None
        logging.info("Performing best model export.")
        self._best = eval_result
        found = self._save(estimator, export_path, checkpoint_path)
        _remove_old(export_path, self._keep)
        return found


def _results(path):
    """Pairs of (step, dict of numbers) of an event file, up to where it is cut off."""
    try:
        for event in summary_iterator(path):
            values = event.summary.value
            found = {
                v.tag: v.simple_value for v in values if v.HasField("simple_value")
            }
            if found:
                yield event.step, found
    except errors.DataLossError as error:  # a program that was killed
        logging.warning("%s: %s", path, error)


def _checked_count(count):
    if count is not None and count <= 0:
        raise ValueError("`exports_to_keep`, if provided, must be positive number")
    return count
