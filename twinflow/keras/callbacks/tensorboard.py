"""The TensorBoard callback."""

import math
from typing import Any

from twinflow.base import logging
from twinflow.base.annotations import Path
from twinflow.base.dispatch import current_mode
from twinflow.formats.events import EventFile
from twinflow.formats.protos import Event, Summary
from twinflow.keras.backend import sessions
from twinflow.keras.callbacks.base import Callback
from twinflow.ops.core.shape import reshape, squeeze
from twinflow.ops.core.transposing import transpose
from twinflow.summary import summaries
from twinflow.summary.writer import FileWriter

_NOT_VALUES = ("batch", "size", "num_steps")


class TensorBoard(Callback):
    """Writes what TensorBoard shows: the loss and the metrics, the graph, histograms.

    Args:
        log_dir: the folder.
        histogram_freq: every so many epochs, histograms of weights and outputs (graph
            mode, with validation data); 0 = none.
        batch_size: of the validation. write_graph: whether to write the graph.
        write_grads: histograms of gradients too. write_images: weights as images too.
        embeddings_freq, embeddings_layer_names, embeddings_metadata, embeddings_data:
            refused: use TensorBoard's projector plugin on a checkpoint.
    Raises:
        ValueError: histograms are asked for and there is no validation.
    """

    merged: Any

    def __init__(
        self, log_dir: Path = "./logs", histogram_freq: int = 0, batch_size: int = 32,
        write_graph: bool = True, write_grads: bool = False, write_images: bool = False,
        embeddings_freq: int = 0, embeddings_layer_names: Any = None,
        embeddings_metadata: Any = None, embeddings_data: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if embeddings_freq:
            raise ValueError(
                "TensorBoard(embeddings_freq=...) is not there: save the weights, and "
                "describe them in a projector_config.pbtxt beside the checkpoint."
            )
        self.log_dir, self.histogram_freq = log_dir, histogram_freq
        if histogram_freq and current_mode().eager:
            logging.warning(
                "Weight and gradient histograms not supported for eagerexecution, "
                "setting `histogram_freq` to `0`."
            )
            self.histogram_freq = 0
        self.batch_size, self.merged = batch_size, None
        self.write_graph, self.write_grads = write_graph, write_grads
        self.write_images, self._total_batches_seen = write_images, 0

    # ------------------------------------------------------------------ summaries
    def set_model(self, model: Any) -> None:
        """Take the model, open the file and make the summaries."""
        self.model = model
        self._init_writer()
        if current_mode().eager:
            return
        if self.histogram_freq and self.merged is None:
            for layer in model.layers:
                self._add_layer(layer)
        self.merged = summaries.merge_all()

    def _init_writer(self):
        """Open the file; subclasses put another writer there."""
        if current_mode().eager:
            self.writer = EventFile(self.log_dir)
        else:
            graph = sessions.get_session().graph if self.write_graph else None
            self.writer = FileWriter(self.log_dir, graph)

    def _add_layer(self, layer):
        for weight in layer.weights:
            name = weight.name.replace(":", "_")
            summaries.histogram(name, weight)
            if self.write_images:
                _add_image(name, weight)
            if self.write_grads and weight in layer.trainable_weights:
                optimizer, loss = self.model.optimizer, self.model.total_loss
                summaries.histogram(
                    f"{name}_grad", optimizer.get_gradients(loss, [weight])
                )
        outputs = layer.output
        if isinstance(outputs, list):
            for i, y in enumerate(outputs):
                summaries.histogram(f"{layer.name}_out_{i}", y)
        else:
            summaries.histogram(f"{layer.name}_out", outputs)

    # ------------------------------------------------------------------ events
    def on_train_begin(self, logs: Any = None) -> None:
        """Count the batches of the validation."""
        if not self.histogram_freq:
            return
        self._batches = self.params.get("validation_steps")
        if self._batches is None and self.validation_data:
            size = self.validation_data[0].shape[0]
            self._batches = math.ceil(size / self.batch_size)
        if not self._batches:
            raise ValueError(
                "If printing histograms, validation data must be provided."
            )

    def on_epoch_begin(self, epoch: Any, logs: Any = None) -> None:
        """Have the validation compute the histograms, if it is time."""
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            self._epoch, self._batch = epoch, 0
            self.model._make_test_function().watched[self.merged] = self._fetched

    def _fetched(self, summary):
        step = self._epoch + self._batch / self._batches
        self.writer.add_summary(summary, step)
        self._batch += 1

    def on_batch_end(self, batch: Any, logs: Any = None) -> None:
        """Write the values of a batch."""
        self._write("batch_", self._total_batches_seen, logs)
        self._total_batches_seen += 1

    def on_epoch_end(self, epoch: Any, logs: Any = None) -> None:
        """Write the values of an epoch."""
        self._write("epoch_", epoch, logs)
        if self.histogram_freq:
            self.model._make_test_function().watched.pop(self.merged, None)

    def _write(self, start, step, logs):
        for name, value in (logs or {}).items():
            if name in _NOT_VALUES:
                continue
            summary = Summary()
            summary.value.add(tag=start + name, simple_value=float(value))
            if isinstance(self.writer, EventFile):
                self.writer.write(Event(step=int(step), summary=summary))
            else:
                self.writer.add_summary(summary, step)
        self.writer.flush()

    def on_train_end(self, logs: Any = None) -> None:
        """Close the file."""
        self.writer.close()


def _add_image(name, weight):
    """A weight of up to three axes as images."""
    image = squeeze(weight)
    sizes = list(image._shape)
    if len(sizes) == 2:
        if sizes[0] > sizes[1]:
            image, sizes = transpose(image), sizes[::-1]
        sizes = [1, *sizes, 1]
    elif len(sizes) == 3:
        image, sizes = transpose(image, [2, 0, 1]), [sizes[2], *sizes[:2], 1]
    elif len(sizes) == 1:
        sizes = [1, sizes[0], 1, 1]
    else:
        return
    summaries.image(name, reshape(image, sizes))
