"""The torch library, where the user has it, and what crosses over to it.

Note [Memory shared with torch]: torch takes no notice of memory that is only for
reading. What is lent to it goes as a leaf that wants a gradient, to which torch itself
refuses to write; what comes from it, or goes for good, is copied, since a module may
keep what it returned and write to it later.
"""

from typing import Any

from twinflow.base import dispatch
from twinflow.interchange.arrays import from_dlpack
from twinflow.ops.core.constant import convert_to_tensor

try:
    import torch
except ImportError:
    torch = None  # type: ignore[assignment]


def required(what: str) -> Any:
    """The torch library.

    Raises:
        ImportError: it is not installed.
    """
    if torch is None:
        raise ImportError(f"`{what}` requires torch: python -m pip install torch")
    return torch


def needs_values(what: str) -> None:
    """Refuse to work on tensors that have no values yet.

    Raises:
        RuntimeError: a graph is being built.
    """
    if not dispatch.current_mode().eager:
        raise RuntimeError(
            f"{what} runs in torch, which needs the values of its arguments: call it "
            "eagerly, or inside of tf.py_func."
        )


def lent(tensor: Any) -> Any:
    """A tensor for torch, in the same memory where it has a gradient (Note above)."""
    found = torch.from_dlpack(tensor)
    if found.is_floating_point() or found.is_complex():
        return found.requires_grad_()
    return found.clone()


def given(tensor: Any) -> Any:
    """A tensor for torch, in memory of its own."""
    return torch.from_dlpack(tensor).clone()


def taken(tensor: Any) -> Any:
    """A tensor of torch for us, in memory of our own."""
    return from_dlpack(tensor.detach().cpu().contiguous(), copy=True)


def as_tensor(value: Any) -> Any:
    """An argument: a tensor of ours, of torch, or what converts to one."""
    return taken(value) if isinstance(value, torch.Tensor) else convert_to_tensor(value)
