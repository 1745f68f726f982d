"""Stacks: where the gradients of TensorFlow's own loops keep values (imported graphs).

Note [Stacks]: graphs that TensorFlow wrote with the gradient of a loop push in every
iteration what the way back pops. A handle is the list itself, made anew in every run.
"""

from twinflow.base.errors import invalid
from twinflow.base.op import define


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


def _define_stack(kind, sizes, more):
    return define(
        f"{kind}({sizes}) -> (handle: resource); elem_type=float32, stack_name=''",
        infer=lambda *_, **__: (),
        host=more,
        stateful=True,
    )


StackV2 = _define_stack(
    "StackV2", "max_size: int32",
    lambda max_size, elem_type, stack_name: StackList(int(max_size), stack_name),
)  # fmt: skip
Stack = _define_stack(
    "Stack", "", lambda elem_type, stack_name: StackList(-1, stack_name)
)


def _define_for(version):
    define(
        f"StackPush{version}(handle: resource, elem: T) -> (output: T);"
        " swap_memory=False",
        infer=lambda handle, elem, swap_memory: elem._shape,
        host=lambda handle, elem, swap_memory: handle.push(elem),
        stateful=True,
    )
    define(
        f"StackPop{version}(handle: resource) -> (elem: elem_type); elem_type=float32",
        infer=lambda handle, elem_type: None,
        host=lambda handle, elem_type: handle.pop(),
        stateful=True,
    )
    define(
        f"StackClose{version}(handle: resource) -> ()",
        infer=lambda handle: [],
        host=lambda handle: handle.values.clear() or (),
        stateful=True,
    )


_define_for("")
_define_for("V2")
