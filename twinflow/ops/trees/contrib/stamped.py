"""Resources with a stamp: a change that was made for another stamp is left out."""

import threading

from twinflow.base import dtypes, errors
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.state import Cell
from twinflow.ops.core.infer import scalar
from twinflow.ops.strings.arrays import one

_UNSET = -1


class StampedCell(Cell):
    """What holds a resource; it is there once it has a stamp.

    Args:
        name: for errors.
    """

    __slots__ = ("lock", "stamp")
    kind = ""  # what TensorFlow calls the class, for errors

    def __init__(self, name):
        super().__init__(name, dtypes.resource, ())
        self.lock, self.stamp = threading.RLock(), _UNSET

    def fresh(self):
        """One that is not there yet."""
        return type(self)(self.name)

    @property
    def initialized(self):
        """Whether it has been created."""
        return self.stamp != _UNSET

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
                None,
                None,
                f"Resource localhost/{self.name}/{self.kind} does not exist.",
            )
        return self

    def is_at(self, stamp):
        """Whether a change that was made for a stamp counts."""
        return self.ready().stamp == int(one(stamp))

    def move(self, stamp, next_stamp):
        """Go on to the next stamp.

        Raises:
            InvalidArgumentError: it is at another one than `stamp`.
        """
        if not self.is_at(stamp):
            raise invalid(
                f"Stamp token mismatch: got {int(one(stamp))}, the resource "
                f"{self.name!r} is at {self.stamp}; read the stamp anew."
            )
        self.stamp = int(one(next_stamp))


def define_stateful(kind, infer, kernel, **facts):
    """An op of the host with effects."""
    return define(kind, infer, host=kernel, stateful=True, **facts)


def define_handle(kind, cell_class):
    """The op that gives the handle of a resource."""

    def home(name, attrs):
        return cell_class(attrs["shared_name"] or name)

    def kernel(cell, **attrs):
        return home("", attrs) if cell is None else cell

    return define_stateful(
        kind, scalar, kernel, attrs={"cell": None}, cell="cell", home=home
    )


def locked(kernel):
    """The kernel of a resource, for one thread at a time."""

    def run(cell, *inputs, **attrs):
        with cell.lock:
            return kernel(cell, *inputs, **attrs)

    return run
