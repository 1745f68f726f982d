"""One pass over a dataset that several devices take elements from, in turns."""

from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch, errors
from twinflow.data.functions import Env
from twinflow.data.iterators import handles, ops
from twinflow.eager.tensor import wrap
from twinflow.graph.scopes import device as on_device

if TYPE_CHECKING:
    from twinflow.graph.node import Node


class MultiDeviceIterator:
    """Gives the first element to the first device, the second to the second, and so on.

    Args:
        dataset: the Dataset. devices: their names.
        max_buffer_size, prefetch_buffer_size, source_device: accepted; elements for
            devices that have not asked yet wait.
    Example:
        it = MultiDeviceIterator(tf.data.Dataset.range(4), ["/cpu:0", "/cpu:0"])
        [int(x) for x in it.get_next()]  # [0, 1]
    """

    def __init__(
        self, dataset: Any, devices: list, max_buffer_size: int = 1,
        prefetch_buffer_size: int = 1, source_device: str = "/cpu:0",
    ) -> None:  # fmt: skip
        self._devices, self._structure = list(devices), dataset.structure
        self._initializer: Any = None
        structure = dataset.structure
        if dispatch.current_mode().eager:
            specs = structure.types, structure.shapes
            self._cell = ops.IteratorCell("MultiDeviceIterator", *specs)
            self._cell.begin(dataset._finished(), Env())
            return
        with on_device(source_device):
            self._handle = handles.home(structure)
            self._initializer = handles.initializer(
                self._handle, dataset, "MultiDeviceIteratorInit"
            )

    @property
    def initializer(self) -> "Node":
        """The op that starts the pass, in a graph.

        Raises:
            ValueError: there is none, eagerly.
        """
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer

    def get_next(self, device: str | None = None) -> Any:
        """The next element of each device, as a list, or of one device.

        Raises:
            OutOfRangeError (in a graph at run time): there is none.
        """
        if device is not None:
            return self._take(self._devices.index(device))
        return [self._take(i) for i in range(len(self._devices))]

    def _take(self, share):
        structure, mode = self._structure, dispatch.current_mode()
        count = len(self._devices)
        if mode.eager:
            try:
                flat = self._cell.take_share(share, count)
            except errors.OutOfRangeError:
                text = "End of sequence [Op:MultiDeviceIteratorGetNextFromShard]"
                raise errors.OutOfRangeError(None, None, text) from None
            return structure.pack([wrap(a, d) for a, d in zip(flat, structure.types)])
        attrs = {
            "share": share, "count": count, "output_types": structure.types,
            "output_shapes": structure.shapes,
        }  # fmt: skip
        specs = list(zip(structure.types, structure.shapes))
        name = "MultiDeviceIteratorGetNextFromShard"
        with on_device(self._devices[share]):
            args = [mode.tensor(self._handle)]
            node = mode.append_node(ops.ShareGetNext, args, attrs, name, specs)
        return structure.pack(node.outputs)
