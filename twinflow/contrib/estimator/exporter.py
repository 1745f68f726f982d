"""An exporter that keeps the models of some steps."""

import os
from typing import Any

from twinflow.base import errors, files, logging
from twinflow.base.annotations import Path
from twinflow.estimator.exporters import _Saving
from twinflow.summary.writer import summary_iterator


class StepsExporter(_Saving):
    """Writes the model at the first evaluation after each of some steps.

    Args:
        steps_to_keep: positive numbers. name: of the folder.
        serving_input_receiver_fn, assets_extra, as_text: see export_savedmodel.
        event_file_pattern: the event files below the folder of the model, in which the
            steps of former programs are found.
    Raises:
        ValueError: no number is positive.
    """

    def __init__(
        self, steps_to_keep: Any, name: str = "steps_exporter",
        serving_input_receiver_fn: Any = None,
        event_file_pattern: str | None = "eval/*.tfevents.*", assets_extra: Any = None,
        as_text: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(name, serving_input_receiver_fn, assets_extra, as_text)
        wanted = [s for s in steps_to_keep if isinstance(s, int) and s > 0]
        if not wanted:
            raise ValueError(
                "`steps_to_keep` list must have at least one positive integer"
            )
        if len(wanted) != len(steps_to_keep):
            logging.warning("Steps that are no positive integers are left out: %s",
                            steps_to_keep)  # fmt: skip
        self._wanted, self._left = sorted(wanted), sorted(wanted)
        self._event_file_pattern, self._model_dir = event_file_pattern, None

    def export(
        self, estimator: Any, export_path: Path, checkpoint_path: Any,
        eval_result: Any, is_the_final_export: bool,
    ) -> Any:  # fmt: skip
        """Write the model, if a step is reached; returns its folder or None."""
        if self._model_dir != estimator.model_dir and self._event_file_pattern:
            self._model_dir = estimator.model_dir
            self._left = self._wanted[:]
            for step in self._former_steps():
                self._reached(step)
        if not eval_result or "global_step" not in eval_result:
            raise ValueError(
                "`eval_result` does not have global step. This should never happen as "
                "Estimator always sets the global step in `eval_result`."
            )
        if not self._reached(eval_result["global_step"]):
            return None
        logging.info("Performing steps to keep export.")
        return self._save(estimator, export_path, checkpoint_path)

    def _reached(self, step):
        """Whether a wanted step is reached; those up to it are done with."""
        is_new = bool(self._left) and step >= self._left[0]
        self._left = [s for s in self._left if s > step]
        return is_new

    def _former_steps(self):
        pattern = os.path.join(self._model_dir, self._event_file_pattern)
        try:
            paths = sorted(files.Glob(pattern))
        except errors.NotFoundError:  # there is no such folder yet
            return []
        return sorted({step for path in paths for step in _summarised(path)})


def _summarised(path):
    """The steps of an event file that have summaries, up to where it is cut off."""
    try:
        for event in summary_iterator(path):
            if event.HasField("summary"):
                yield event.step
    except errors.DataLossError as error:  # a program that was killed
        logging.warning("%s: %s", path, error)
