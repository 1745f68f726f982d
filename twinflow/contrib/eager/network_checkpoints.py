"""The variables of a tfe.Network in a checkpoint, by names without its own.

What a checkpoint holds for variables that are still to be made waits in the network:
see `Network._made`.
"""

import os
from typing import Any

from twinflow.base.annotations import Path
from twinflow.base.dispatch import current_mode
from twinflow.checkpoint.reader import load_checkpoint
from twinflow.checkpoint.saver import Saver
from twinflow.contrib.eager.network import Network
from twinflow.execute.default_sessions import get_default_session
from twinflow.train.training_util import get_global_step

_CONFLICT = (
    "The default checkpoint variable name mapping strategy for Network '{network}' "
    "resulted in a naming conflict. We attempted to strip off the variable prefix for "
    "the Network ('{scope}'), but this resulted in two variables named '{name}' "
    "(originally '{first}' and '{second}'). Layers that were first tracked by another "
    "network have its prefix: pass `map_func=lambda n: n` to save_network_checkpoint "
    "and restore_network_checkpoint to use whole names, or another function."
)
_OWN_CONFLICT = (
    "The map_func passed to {function} for the Network '{network}' resulted in two "
    "variables named '{name}' (originally '{first}' and '{second}'). Try stripping "
    "less from the variable names, or renaming parts of the Network."
)


class _Names:
    """Names of variables in a checkpoint, and the variables that have them."""

    def __init__(self, network: Network, map_func: Any, function: str) -> None:
        self._network, self._scope, self._function = (
            network,
            network.scope_name,
            function,
        )
        self.map_func, self.taken = map_func, {}

    def of(self, name: str) -> str:
        """The name in the checkpoint."""
        if self.map_func is not None:
            return self.map_func(name)
        return name.removeprefix(f"{self._scope}/")

    def note(self, variable: Any) -> str:
        """The name of a variable in the checkpoint, which no other one may have."""
        own = variable._shared_name
        name = self.of(own)
        first = self.taken.setdefault(name, variable)
        if first is not variable:
            text = _CONFLICT if self.map_func is None else _OWN_CONFLICT
            raise ValueError(text.format(
                network=self._network.name, scope=self._scope, name=name,
                first=first._shared_name, second=own, function=self._function,
            ))  # fmt: skip
        return name


def _session():
    return None if current_mode().eager else get_default_session()


def save_network_checkpoint(
    network: Any, save_path: Path, global_step: Any = None, map_func: Any = None
) -> str:
    """Save the variables of a network.

    Args:
        network: a tfe.Network that has been called.
        save_path: the start of a path; in a folder the name of the network is used.
        global_step: a number for the path; that of the program if there is one.
        map_func: from the name of a variable to that in the checkpoint; by default
            the scope of the network is left out.
    Returns:
        The path.
    Raises:
        ValueError: the network has no variables yet, or two get one name.
    """
    if not network.built:
        raise ValueError(
            "Attempt to save the Network before it was first called. This means "
            "variables have not yet been created, so there is nothing to save."
        )
    network._set_scope()
    step = get_global_step() if global_step is None else global_step
    path = os.fspath(save_path)
    if os.path.isdir(path):
        path = os.path.join(path, network.name.replace("/", "_"))
    names = _Names(network, map_func, "save_network_checkpoint")
    variables = {names.note(v): v for v in network.variables}
    return Saver(variables).save(
        _session(), path, global_step=step, write_meta_graph=False
    )


def restore_network_checkpoint(
    network: Any, save_path: Path, map_func: Any = None
) -> None:
    """Give the variables of a network their values, those to come when they are made.

    Args:
        network: a tfe.Network. save_path: what save_network_checkpoint gave.
        map_func: see save_network_checkpoint.
    Raises:
        ValueError: two variables get one name.
        NotFoundError: the checkpoint lacks a variable.
    """
    network._set_scope()
    names = _Names(network, map_func, "restore_network_checkpoint")
    there = {names.note(v): v for v in network.variables}
    if there:
        Saver(there).restore(_session(), save_path)
    reader = load_checkpoint(save_path)
    waiting = {
        name: reader.get_tensor(name)
        for name in reader.get_variable_to_shape_map()
        if name not in there
    }
    if waiting:
        _defer(network, _Restoration(names, waiting, _session()))


class _Restoration:
    """Values of a checkpoint for variables that are still to be made."""

    def __init__(self, names: _Names, values: dict, session: Any) -> None:
        self._names, self._values, self._session = names, values, session

    def __call__(self, variable: Any) -> bool:
        """Give a new variable its value; whether there was one."""
        name = self._names.of(variable._shared_name)
        if name not in self._values:
            return False
        new = name not in self._names.taken
        self._names.note(variable)
        if new and self._session is None:
            variable.assign(self._values[name])
        elif new:
            variable.load(self._values[name], self._session)
        return True


def _defer(layer: Any, restoration: _Restoration) -> None:
    if isinstance(layer, Network):
        layer._restorations.insert(0, restoration)
        for part in layer.layers:
            if isinstance(part, Network) or not part.built:
                _defer(part, restoration)
        return
    scope = getattr(layer, "_scope", None)
    if scope is not None:
        around = scope.custom_getter

        def made(getter: Any, name: str, *args: Any, **kwargs: Any) -> Any:
            if around is None:
                variable = getter(name, *args, **kwargs)
            else:
                variable = around(getter, name, *args, **kwargs)
            restoration(variable)
            return variable

        scope.set_custom_getter(made)
