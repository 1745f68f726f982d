"""What holds a resource of trees: a cell whose contents an op creates."""

import threading

from twinflow.base import dtypes, errors
from twinflow.base.state import Cell


class TreesCell(Cell):
    """What holds a resource; subclasses say when it is there.

    Args:
        name: for errors.
    Attributes:
        lock: an RLock, for whoever changes the contents.
    """

    __slots__ = ("lock",)
    kind = ""  # what TensorFlow calls the class, for errors

    def __init__(self, name):
        super().__init__(name, dtypes.resource, ())
        self.lock = threading.RLock()

    def fresh(self):
        """One that is not there yet."""
        return type(self)(self.name)

    def __deepcopy__(self, memo):
        return self.fresh()

    def __reduce__(self):
        raise TypeError(
            "A resource of trees cannot be pickled; serialize it by its op."
        )

    def ready(self):
        """Itself.

        Raises:
            NotFoundError: it is not there yet.
        """
        if not self.initialized:
            raise errors.NotFoundError(
                None, None,
                f"Resource localhost/{self.name}/{self.kind} does not exist.",
            )  # fmt: skip
        return self
