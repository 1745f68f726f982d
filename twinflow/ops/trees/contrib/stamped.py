"""Resources with a stamp: a change that was made for another stamp is left out."""

from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.ops.core.infer import scalar
from twinflow.ops.strings.arrays import one
from twinflow.ops.trees.resources import TreesCell

_UNSET = -1


class StampedCell(TreesCell):
    """What holds a resource; it is there once it has a stamp.

    Args:
        name: for errors.
    """

    __slots__ = ("stamp",)

    def __init__(self, name):
        super().__init__(name)
        self.stamp = _UNSET

    @property
    def initialized(self):
        """Whether it has been created."""
        return self.stamp != _UNSET

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
