"""tf.contrib.lite.Interpreter: models of TensorFlow Lite run, by LiteRT."""

from collections.abc import Callable, Sequence

from twinflow.base.annotations import Array

try:
    from ai_edge_litert.interpreter import Interpreter as LiteRT
except ImportError:
    LiteRT = None


class Interpreter:
    """Runs a model of TensorFlow Lite.

    Args:
        model_path: str, its file. model_content: bytes, in place of a file.
    Raises:
        ImportError: ai-edge-litert is not installed.
        ValueError: both or neither are given, or they hold no model.
    Example:
        x = tf.placeholder(tf.float32, [1, 2], name="x")
        y = tf.multiply(x, 2., name="y")
        with tf.Session() as sess:
            made = tf.contrib.lite.TFLiteConverter.from_session(sess, [x], [y])
        lite = tf.contrib.lite.Interpreter(model_content=made.convert())
        lite.allocate_tensors()
        lite.set_tensor(lite.get_input_details()[0]["index"], np.float32([[1, 2]]))
        lite.invoke()
        lite.get_tensor(lite.get_output_details()[0]["index"])  # [[2., 4.]]
    """

    def __init__(
        self, model_path: str | None = None, model_content: bytes | None = None
    ) -> None:
        if not model_path and not model_content:
            raise ValueError("`model_path` or `model_content` must be specified.")
        if model_path and model_content:
            raise ValueError("Can't both provide `model_path` and `model_content`")
        if LiteRT is None:
            raise ImportError(
                "`tf.contrib.lite.Interpreter` requires ai-edge-litert: python -m pip "
                "install ai-edge-litert"
            )
        self._litert = LiteRT(model_path=model_path, model_content=model_content)

    def allocate_tensors(self) -> None:
        """Make room for all tensors; before anything runs, and after a new size."""
        self._litert.allocate_tensors()

    def get_input_details(self) -> list[dict]:
        """What is known of the inputs.

        Returns:
            list of dicts: `name`, `index`, `shape` (int32[rank]), `dtype` of NumPy,
            `quantization`: (scale, zero point), (0.0, 0) of floats; and what later
            versions say.
        """
        return self._litert.get_input_details()

    def get_output_details(self) -> list[dict]:
        """What is known of the outputs; see get_input_details."""
        return self._litert.get_output_details()

    def get_tensor_details(self) -> list[dict]:
        """What is known of every tensor; see get_input_details."""
        return self._litert.get_tensor_details()

    def _get_tensor_details(self, tensor_index: int) -> dict:
        found = {d["index"]: d for d in self.get_tensor_details()}
        if tensor_index not in found:
            raise ValueError(
                f"Invalid tensor index {tensor_index} exceeds max tensor index "
                f"{max(found, default=-1)}"
            )
        return found[tensor_index]

    def set_tensor(self, tensor_index: int, value: Array) -> None:
        """Copy an array into a tensor.

        Args:
            tensor_index: its `index`. value: array of its dtype and shape.
        Raises:
            ValueError: the array has another dtype or shape; there is no such tensor.
        """
        self._litert.set_tensor(tensor_index, value)

    def resize_tensor_input(self, input_index: int, tensor_size: Sequence[int]) -> None:
        """Give an input another shape; allocate_tensors has to follow.

        Args:
            input_index: its `index`. tensor_size: list of int, the shape.
        """
        self._litert.resize_tensor_input(input_index, list(tensor_size))

    def get_tensor(self, tensor_index: int) -> Array:
        """A copy of a tensor as an array.

        Args:
            tensor_index: its `index`.
        """
        return self._litert.get_tensor(tensor_index)

    def tensor(self, tensor_index: int) -> Callable[[], Array]:
        """A function that gives a tensor's own memory as an array.

        Args:
            tensor_index: its `index`.
        Returns:
            function without arguments. While an array of it is held, the model does not
            run.
        """
        return self._litert.tensor(tensor_index)

    def invoke(self) -> None:
        """Run the model on the inputs that were set.

        Raises:
            RuntimeError: there is no room yet, or an array of `tensor` is held.
        """
        self._litert.invoke()

    def reset_all_variables(self) -> None:
        """Give variables within the model their first values again."""
        self._litert.reset_all_variables()
