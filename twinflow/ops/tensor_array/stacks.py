"""Stacks: where the gradients of TensorFlow's own loops keep values (imported graphs).

Note [Stacks]: graphs that TensorFlow wrote with the gradient of a loop push in every
iteration what the way back pops. A handle is the list itself, made anew in every run.
"""

from twinflow.base import dtypes
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.ops.core.infer import scalar
from twinflow.ops.core.versions import nothing


class StackList:
    """The values of one stack.

    Args:
        max_size: the greatest number of values; negative = any. name: for errors.
    """

    def __init__(self, max_size, name):
        self.max_size, self.name, self.values = max_size, name, []

    def push(self, value):
        """Add a value.

        Raises:
            tf.errors.InvalidArgumentError: the stack is full.
        """
        if 0 <= self.max_size <= len(self.values):
            raise invalid(
                f"Stack[{self.name}] overflowed its max_size ({self.max_size})"
            )
        self.values.append(value)
        return value

    def pop(self):
        """Take the newest value.

        Raises:
            tf.errors.InvalidArgumentError: there is none.
        """
        if not self.values:
            raise invalid(f"Stack[{self.name}] is empty when calling Pop().")
        return self.values.pop()


def _define(kind, infer, kernel, attrs=None, **facts):
    return define(kind, infer, host=kernel, attrs=attrs, stateful=True, **facts)


_TYPED = {"elem_type": dtypes.float32}
StackV2 = _define(
    "StackV2", scalar,
    lambda max_size, elem_type, stack_name: StackList(int(max_size), stack_name),
    _TYPED,
)  # fmt: skip
Stack = _define(
    "Stack", scalar, lambda elem_type, stack_name: StackList(-1, stack_name), _TYPED
)
for _version in ("", "V2"):
    _define(
        f"StackPush{_version}",
        lambda handle, elem, swap_memory: elem._shape,
        lambda handle, elem, swap_memory: handle.push(elem),
    )
    _define(
        f"StackPop{_version}",
        lambda handle, elem_type: None,
        lambda handle, elem_type: handle.pop(),
        _TYPED,
    )
    _define(
        f"StackClose{_version}", nothing, lambda handle: handle.values.clear() or ()
    )
