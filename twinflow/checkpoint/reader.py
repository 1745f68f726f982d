"""Looking into a checkpoint without a graph."""

from typing import Any

from twinflow.base import files
from twinflow.base.annotations import Path
from twinflow.base.text import as_str_any, path_to_str
from twinflow.checkpoint.state import latest_checkpoint
from twinflow.formats import checkpoint_v1
from twinflow.formats.protos import CheckpointableObjectGraph, DataType


class CheckpointReader:
    """What is in a checkpoint.

    Args:
        filepattern: its prefix.
    Raises:
        NotFoundError: there is none. DataLossError: it is damaged.
    """

    def __init__(self, filepattern: Path) -> None:
        self._bundle = checkpoint_v1.opened(as_str_any(path_to_str(filepattern)))

    def get_variable_to_shape_map(self) -> dict[Any, Any]:
        """Dict from names to shapes, lists of ints."""
        return {name: list(self._bundle.shape(name)) for name in self._bundle.entries}

    def get_variable_to_dtype_map(self) -> dict[Any, Any]:
        """Dict from names to DTypes."""
        return {name: self._bundle.dtype(name) for name in self._bundle.entries}

    def has_tensor(self, tensor_str: Any) -> bool:
        """Whether there is a tensor of this name."""
        return as_str_any(tensor_str) in self._bundle

    def get_tensor(self, tensor_str: Any) -> Any:
        """The ndarray of a name; a NumPy scalar or bytes for 0-d.

        Raises:
            NotFoundError: there is none. DataLossError: its bytes are damaged.
        """
        found = self._bundle.read(as_str_any(tensor_str))
        return found[()] if found.ndim == 0 else found

    def debug_string(self) -> bytes:
        """A line for each tensor: its name, dtype and shape; bytes."""
        lines = []
        for name in self._bundle.entries:
            dtype = DataType.Name(self._bundle.dtype(name).as_datatype_enum)
            shape = ",".join(map(str, self._bundle.shape(name)))
            lines.append(f"{name} ({dtype}) [{shape}]\n")
        return "".join(lines).encode()


def object_graph(data):
    """The CheckpointableObjectGraph in the bytes that a checkpoint has of it.

    Raises:
        DecodeError: it is none. ValueError: it names an object that it does not hold.
    """
    graph = CheckpointableObjectGraph.FromString(data)
    count = len(graph.nodes)
    for node in graph.nodes:
        slots = node.slot_variables
        numbers = [c.node_id for c in node.children]
        numbers += [s.original_variable_node_id for s in slots]
        numbers += [s.slot_variable_node_id for s in slots]
        if any(not 0 <= number < count for number in numbers):
            raise ValueError(f"the graph of {count} objects names others: {numbers}")
    return graph


def NewCheckpointReader(filepattern: Any) -> Any:
    """A CheckpointReader of a prefix."""
    return CheckpointReader(filepattern)


def load_checkpoint(ckpt_dir_or_file: Path) -> CheckpointReader:
    """A CheckpointReader of a prefix, or of the last checkpoint in a folder.

    Raises:
        ValueError: there is none in the folder. NotFoundError: none of this prefix.
    """
    path = as_str_any(path_to_str(ckpt_dir_or_file))
    if files.IsDirectory(path):
        found = latest_checkpoint(path)
        if found is None:
            raise ValueError(
                f"Couldn't find 'checkpoint' file or checkpoints in given directory "
                f"{path}"
            )
        path = found
    return CheckpointReader(path)


def load_variable(ckpt_dir_or_file: Path, name: str) -> Any:
    """The value of a variable in a checkpoint, an ndarray.

    Args:
        ckpt_dir_or_file: see load_checkpoint. name: with or without ":0".
    """
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))


def list_variables(ckpt_dir_or_file: Path) -> list[tuple[Any, ...]]:
    """Pairs of (name, shape) of what is in a checkpoint, sorted by name."""
    shapes = load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map()
    return sorted(shapes.items())
