"""Padded batches of what was put back first, and then of a dataset.

Each batch comes with handles of the queue that its pass takes from: what is put there
is part of the next batches.
"""

import collections
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.data import structure as nested
from twinflow.data.pipeline import windows
from twinflow.data.pipeline.stages import Pass, row
from twinflow.data.structure import Structure
from twinflow.data.transforms import paddings, require, scalar
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.versions import nothing


class Queued(Pass):
    """Batches of the elements of a queue, and of a pass where that is empty.

    Args:
        inner: the pass. size: of a batch. stack: makes a batch of rows.
        count: how many components an element has.
    Attributes:
        queue: the elements that were put back.
    """

    def __init__(self, inner, size, stack, count):
        self.inner, self.size, self.stack, self.count = inner, size, stack, count
        self.queue: collections.deque = collections.deque()

    def put(self, element):
        """Put an element back."""
        if len(element) != self.count:
            raise invalid(
                f"Expected {self.count} components, got {len(element)} to put back."
            )
        self.queue.append(element)

    def __next__(self):
        rows = []
        while self.queue and len(rows) < self.size:
            rows.append(self.queue.popleft())
        rows += itertools.islice(self.inner, self.size - len(rows))
        if not rows:
            raise StopIteration
        handles = np.empty(len(rows), object)
        handles[:] = [self] * len(rows)
        return [handles, *self.stack(rows)]


def prepended(source, size, stack, count):
    """The source of the batches, see Queued."""
    require(size > 0, "Batch size must be greater than zero.")
    return lambda: Queued(source(), size, stack, count)


def prepend_from_queue_and_padded_batch_dataset(
    batch_size: Any, padding_values: Any = None, padded_shapes: Any = None
) -> Callable[..., Any]:
    """A function to (handles, padded batch): what was put back comes first.

    Args:
        batch_size: int64[]. padding_values, padded_shapes: see Dataset.padded_batch;
            the shapes of the elements by default.
    Example:
        tft = tf.contrib.training
        d = tf.data.Dataset.range(3).apply(
            tft.prepend_from_queue_and_padded_batch_dataset(2))
        queue, rows = d.make_one_shot_iterator().get_next()
        again = tft.enqueue_in_queue_dataset(queue[:1], rows[:1] + 10)
        sess = tf.Session()
        sess.run([rows, again])[0]  # [0, 1]
        sess.run(rows)  # [10, 2]
    """
    size = scalar(batch_size)

    def apply_to(dataset):
        form = dataset.structure
        asked = dataset.output_shapes if padded_shapes is None else padded_shapes
        shapes, fills = paddings(form, asked, padding_values)
        fixed = [s if type(s) is tuple else (None,) * s.shape[0].value for s in shapes]
        rows = form.with_shapes([(None, *s) for s in fixed])
        structure = Structure(
            (None, form.template),
            [dtypes.variant, *form.types],
            [(None,), *rows.shapes],
        )

        def step(env, source):
            known = [
                s if type(s) is tuple
                else tuple(None if n == -1 else int(n) for n in env.value(s))
                for s in shapes
            ]  # fmt: skip
            stack = windows.padder(known, [env.value(f) for f in fills])
            return prepended(source, env.int(size), stack, len(form.types))

        inputs = [size, *shapes, *fills]
        kind = "PrependFromQueueAndPaddedBatchDataset"
        return dataset._then(kind, step, structure, inputs)

    return apply_to


# ---------------------------------------------------------------------- putting back
def _put(queue, components):
    handles = np.asarray(queue, object)
    if handles.ndim == 0:
        handles[()].put(list(components))
        return ()
    for array in components:
        if len(array) != len(handles):
            raise invalid(
                f"Expected components of {len(handles)} rows, one for each handle of "
                f"the queue, got the shape {np.shape(array)}."
            )
    for i, handle in enumerate(handles):
        handle.put([row(array, i) for array in components])
    return ()


EnqueueInQueueDataset = define(
    "EnqueueInQueueDataset", infer=nothing, host=_put, stateful=True
)


def enqueue_in_queue_dataset(queue: Any, components: Any) -> Any:
    """Put elements back into the dataset that a batch came from.

    Args:
        queue: variant[n], handles that came with a batch, or one of them.
        components: in the form of an element, each with n rows for n handles.
    Returns:
        The operation; eagerly None.
    """
    flat = [convert_to_tensor(c) for c in nested.flatten(components)]
    found = apply(EnqueueInQueueDataset, (queue, flat))
    return None if dispatch.current_mode().eager else found
