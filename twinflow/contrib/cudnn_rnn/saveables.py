"""How a network is saved: as the variables of cells that compute the same."""

from typing import Any

from twinflow.checkpoint.saveable import SaveableObject, SaveSpec
from twinflow.contrib.cudnn_rnn.networks import lstm_weights
from twinflow.contrib.cudnn_rnn.parameters import Form, apart, joined
from twinflow.graph.variable_scope import get_variable_scope
from twinflow.ops.core.constant import convert_to_tensor, identity
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.joining import concat, split
from twinflow.ops.core.shape import reshape
from twinflow.ops.core.transposing import transpose


class CudnnOpaqueParamsSaveable(SaveableObject):
    """The vector of a network, saved as the variables of its cells.

    Args:
        opaque_params: the variable. num_layers, num_units, input_size, input_mode,
            direction: see CudnnLSTM. scope: the scope of the names; that around if not
            given. name: the key that sorts it.
    """

    _rnn_mode = ""
    _rnn_cell_name = ""

    def __init__(
        self, opaque_params: Any, num_layers: Any, num_units: Any, input_size: Any,
        input_mode: str = "linear_input", direction: str = "unidirectional",
        scope: Any = None, name: str | None = "cudnn_rnn_saveable",
    ) -> None:  # fmt: skip
        self._variables = opaque_params
        self._form = Form(self._rnn_mode, num_layers, num_units, input_size, direction)
        around = get_variable_scope() if scope is None else scope
        self._scope = getattr(around, "name", around)
        cells = self._cells(convert_to_tensor(opaque_params))
        self._shapes = [[t.shape.as_list() for t in w + b] for w, b in cells]
        specs = []
        for kind in (0, 1):
            for prefix, cell in zip(self._prefixes(), cells, strict=True):
                for name_of, t in zip(self._names[kind], cell[kind], strict=True):
                    specs.append(SaveSpec(t, "", f"{prefix}/{name_of}"))
        super().__init__(identity(convert_to_tensor(opaque_params)), specs, name)

    _names: tuple[Any, ...] = (("kernel",), ("bias",))

    def _prefixes(self):
        """The scope of each cell."""
        start = f"{self._scope}/" if self._scope else ""
        layers = range(self._form.num_layers)
        if self._form.num_dirs == 1:
            before = f"{start}rnn/multi_rnn_cell/cell_"
            return [f"{before}{i}/{self._rnn_cell_name}" for i in layers]
        before = f"{start}stack_bidirectional_rnn/cell_"
        return [
            f"{before}{i}/bidirectional_rnn/{side}/{self._rnn_cell_name}"
            for i in layers
            for side in ("fw", "bw")
        ]

    def _cells(self, params):
        """[(kernels, biases)] of the cells."""
        weights, biases = apart(self._form, params)
        count = 2 * self._form.gates
        return [
            self._to_cell(weights[i : i + count], biases[i : i + count])
            for i in range(0, len(weights), count)
        ]

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        """The op that puts the network back.

        Args:
            restored_tensors: one for each spec. restored_shapes: not read.
        """
        many, count = len(self._names[0]), len(self._prefixes())
        kernels = restored_tensors[: many * count]
        others = restored_tensors[many * count :]
        few, weights, biases = len(self._names[1]), [], []
        for i, shapes in enumerate(self._shapes):
            parts = [
                *kernels[i * many : (i + 1) * many],
                *others[i * few : (i + 1) * few],
            ]
            parts = [reshape(t, s) for t, s in zip(parts, shapes, strict=True)]
            found = self._from_cell(parts[:many], parts[many:])
            weights += found[0]
            biases += found[1]
        return self._variables.assign(joined(weights, biases))

    def _to_cell(self, weights, biases):
        raise NotImplementedError

    def _from_cell(self, kernels, biases):
        raise NotImplementedError


def _parts(kernel, n, gates, axis=1):
    return [transpose(part) for part in split(kernel, gates, axis)]


class CudnnLSTMSaveable(CudnnOpaqueParamsSaveable):
    """The vector of an LSTM, saved as the variables of CudnnCompatibleLSTMCells.

    Args:
        see CudnnOpaqueParamsSaveable.
    """

    _rnn_mode = "lstm"
    _rnn_cell_name = "cudnn_compatible_lstm_cell"

    def _to_cell(self, weights, biases):
        kernel, bias = lstm_weights(weights, biases)
        return [kernel], [bias]

    def _from_cell(self, kernels, biases):
        n, order = self._form.num_units, [0, 2, 1, 3]
        depth = kernels[0].shape[0].value - n
        weights = []
        for rows in split(kernels[0], [depth, n], 0):
            parts = _parts(rows, n, 4)
            weights += [parts[g] for g in order]
        parts = split(biases[0], 4, 0)
        ours = [parts[g] for g in order]
        return weights, ours + [zeros_like(b) for b in ours]


_PROJECTIONS = ("candidate/input_projection", "candidate/hidden_projection")


class CudnnGRUSaveable(CudnnOpaqueParamsSaveable):
    """The vector of a GRU, saved as the variables of CudnnCompatibleGRUCells.

    Args:
        see CudnnOpaqueParamsSaveable.
    """

    _rnn_mode = "gru"
    _rnn_cell_name = "cudnn_compatible_gru_cell"
    _names = (
        ("gates/kernel", *(f"{p}/kernel" for p in _PROJECTIONS)),
        ("gates/bias", *(f"{p}/bias" for p in _PROJECTIONS)),
    )

    def _to_cell(self, weights, biases):
        turned = [transpose(w) for w in weights]
        gates = [concat(turned[0:2], 1), concat(turned[3:5], 1)]
        both = concat([biases[0] + biases[3], biases[1] + biases[4]], 0)
        kernels = [concat(gates, 0), turned[2], turned[5]]
        return kernels, [both, biases[2], biases[5]]

    def _from_cell(self, kernels, biases):
        gates, of_input, of_state = kernels
        n = self._form.num_units
        depth = gates.shape[0].value - n
        ours, theirs = (_parts(rows, n, 2) for rows in split(gates, [depth, n], 0))
        weights = [*ours, transpose(of_input), *theirs, transpose(of_state)]
        r, u = split(biases[0], 2, 0)
        zero = zeros_like(r)
        return weights, [r, u, biases[1], zero, zero, biases[2]]


class CudnnRNNSimpleSaveable(CudnnOpaqueParamsSaveable):
    """The vector of a plain network, saved as the variables of BasicRNNCells.

    Args:
        see CudnnOpaqueParamsSaveable.
    """

    _rnn_cell_name = "basic_rnn_cell"

    def _to_cell(self, weights, biases):
        return [concat([transpose(w) for w in weights], 0)], [biases[0] + biases[1]]

    def _from_cell(self, kernels, biases):
        n = self._form.num_units
        depth = kernels[0].shape[0].value - n
        rows = split(kernels[0], [depth, n], 0)
        return [transpose(w) for w in rows], [biases[0], zeros_like(biases[0])]


class CudnnRNNTanhSaveable(CudnnRNNSimpleSaveable):
    """The vector of a plain network with tanh.

    Args:
        see CudnnOpaqueParamsSaveable.
    """

    _rnn_mode = "rnn_tanh"


class CudnnRNNReluSaveable(CudnnRNNSimpleSaveable):
    """The vector of a plain network with relu.

    Args:
        see CudnnOpaqueParamsSaveable.
    """

    _rnn_mode = "rnn_relu"
