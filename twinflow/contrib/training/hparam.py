"""tf.contrib.training.HParams: named settings that remember their types."""

import json
import numbers
import re
from typing import TYPE_CHECKING, Any

from twinflow.base.errors import UsageError
from twinflow.base.text import as_bytes
from twinflow.formats import protos

_ITEM = re.compile(
    r"(?P<name>[a-zA-Z][\w.]*)(\[\s*(?P<index>\d+)\s*\])?\s*=\s*"
    r"((?P<value>[^,\[]*)|\[(?P<values>[^\]]*)\])($|,\s*)"
)

_FIELDS = {
    "bool": bool, "int64": numbers.Integral, "bytes": (str, bytes),
    "float": numbers.Real,
}  # fmt: skip


def parse_values(values: Any, type_map: Any) -> Any:
    """Settings from a text.

    Args:
        values: such as "a=1,b=[x,y],c[2]=3".
        type_map: dict from name to the type of its value (or values).
    Returns:
        dict from name to a value, a list, or a dict from index to value.
    Raises:
        ValueError: the text cannot be read, or a name is unknown or given twice.
    Example:
        types = {"n": int, "on": bool}
        tf.contrib.training.parse_values("n=3,on=true", types)  # {"n": 3, "on": True}
    """
    found: dict = {}
    place = 0
    while place < len(values):
        item = _ITEM.match(values, place)
        if not item:
            raise ValueError(f"Malformed hyperparameter value: {values[place:]}")
        place = item.end()
        _put(found, item, type_map, values)
    return found


def _put(found, item, type_map, text):
    name, index = item["name"], item["index"]
    if name not in type_map:
        raise ValueError(f"Unknown hyperparameter type for {name}")
    kind = type_map[name]
    if item["values"] is not None:
        parts = [p for p in re.split("[ ,]", item["values"]) if p]
        value = [_parsed(name, kind, p, text) for p in parts]
    else:
        value = _parsed(name, kind, item["value"], text)
    inside = index is not None
    slots = found.setdefault(name, {}) if inside else found
    key = int(index) if inside else name
    if not isinstance(slots, dict) or key in slots:
        label = f"{name}[{index}]" if inside and isinstance(slots, dict) else name
        raise ValueError(f"Multiple assignments to variable '{label}' in {text}")
    slots[key] = value


def _parsed(name, kind, value, text):
    try:
        if kind is bool and value in ("true", "True", "false", "False"):
            return value.lower() == "true"
        return bool(int(value)) if kind is bool else kind(value)
    except ValueError:
        raise ValueError(
            f"Could not parse hparam '{name}' of type '{kind.__name__}' with value "
            f"'{value}' in {text}"
        ) from None


def _cast(name, kind, value):
    """`value` as `kind` where nothing is lost.

    Raises:
        ValueError: it is of another kind.
    """
    if kind is type(None):  # nothing is known of it
        return value
    plain = isinstance(value, bool) == (kind is bool)
    if kind in (str, bytes):
        good = isinstance(value, str | bytes)
    elif kind is int:
        good = plain and isinstance(value, numbers.Integral)
    elif kind is float:
        good = plain and isinstance(value, numbers.Number)
    else:
        good = plain
    if not good:
        raise ValueError(
            f"Could not cast hparam '{name}' of type '{kind}' from value {value!r}"
        )
    return kind(value)


def _as_str(value):
    return value.decode() if isinstance(value, bytes) else value


def _field(name, kind):
    """What the fields of an HParamDef for a type begin with."""
    for field, kinds in _FIELDS.items():
        if issubclass(kind, kinds):
            return field
    raise ValueError(f"Unsupported parameter type: {kind} of {name}")


class HParams:
    """Settings as attributes, each of the type it was made with.

    Args:
        model_structure: kept for `get_model_structure`.
        kwargs: the settings: numbers, strings, bools, or lists of one kind.
    Raises:
        ValueError: a name is taken by a method, or a list is empty.
    Example:
        hparams = tf.contrib.training.HParams(learning_rate=0.1, units=[64, 64])
        hparams.parse("learning_rate=0.01")
        hparams.learning_rate  # 0.01
    """

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(
        self, hparam_def: Any = None, model_structure: Any = None, **kwargs: Any
    ) -> None:
        self._hparam_types: dict[
            Any, Any
        ] = {}  # from name to (type, whether it is a list)
        self._model_structure = model_structure
        if hparam_def is not None:
            self._init_from_proto(hparam_def)
            return
        for name, value in kwargs.items():
            self.add_hparam(name, value)

    def _init_from_proto(self, hparam_def):
        if not isinstance(hparam_def, protos.HParamDef):
            raise UsageError(f"hparam_def must be an HParamDef, not {hparam_def!r}")
        for name, value in hparam_def.hparam.items():
            kind = value.WhichOneof("kind")
            found = getattr(value, kind)
            if kind.endswith("_list"):
                self.add_hparam(name, [_as_str(v) for v in found.value])
            else:
                self.add_hparam(name, _as_str(found))

    def to_proto(self, export_scope: Any = None) -> Any:
        """The settings as a message.

        Args:
            export_scope: accepted.
        Returns:
            The HParamDef; `HParams(hparam_def=...)` takes it.
        Raises:
            ValueError: a setting is no number, bool or string.
        """
        found = protos.HParamDef()
        for name, (kind, many) in self._hparam_types.items():
            field, value = _field(name, kind), getattr(self, name)
            slot = found.hparam[name]
            if many:
                values = [as_bytes(v) if field == "bytes" else v for v in value]
                getattr(slot, f"{field}_list").value.extend(values)
            else:
                value = as_bytes(value) if field == "bytes" else value
                setattr(slot, f"{field}_value", value)
        return found

    def add_hparam(self, name: Any, value: Any) -> Any:
        """Add a setting; its type is that of `value`."""
        if getattr(self, name, None) is not None:
            raise ValueError(f"Hyperparameter name is reserved: {name}")
        many = isinstance(value, list | tuple)
        if many and not value:
            raise ValueError(f"Multi-valued hyperparameters cannot be empty: {name}")
        self._hparam_types[name] = (type(value[0] if many else value), many)
        setattr(self, name, value)

    def set_hparam(self, name: Any, value: Any) -> Any:
        """Change a setting.

        Raises:
            KeyError: there is none. ValueError: the value is of another type.
        """
        kind, many = self._hparam_types[name]
        if isinstance(value, list):
            if not many:
                raise ValueError(
                    f"Must not pass a list for single-valued parameter: {name}"
                )
            setattr(self, name, [_cast(name, kind, v) for v in value])
        elif many:
            raise ValueError(f"Must pass a list for multi-valued parameter: {name}.")
        else:
            setattr(self, name, _cast(name, kind, value))

    def del_hparam(self, name: Any) -> Any:
        """Remove a setting; nothing happens where there is none."""
        if hasattr(self, name):
            delattr(self, name)
            del self._hparam_types[name]

    def parse(self, values: Any) -> Any:
        """Change settings by a text such as "a=1,b=[2,3]"; returns these settings."""
        types = {name: kind for name, (kind, _) in self._hparam_types.items()}
        return self.override_from_dict(parse_values(values, types))

    def override_from_dict(self, values_dict: Any) -> Any:
        """Change settings by name; returns these settings."""
        for name, value in values_dict.items():
            self.set_hparam(name, value)
        return self

    def set_from_map(self, values_map: Any) -> Any:
        """As `override_from_dict`, its later name."""
        return self.override_from_dict(values_dict=values_map)

    def parse_json(self, values_json: Any) -> Any:
        """Change settings by a JSON object; returns these settings.

        Raises:
            ValueError: it is none. KeyError: there is no such setting.
        """
        try:
            values = json.loads(values_json)
        except RecursionError as error:
            raise ValueError(f"The JSON is nested too deep: {error}") from None
        if not isinstance(values, dict):
            raise ValueError(f"Expected a JSON object, got {values_json!r:.100}")
        return self.override_from_dict(values)

    def to_json(
        self, indent: Any = None, separators: Any = None, sort_keys: bool = False
    ) -> Any:
        """The settings as a JSON object."""
        return json.dumps(
            self.values(), indent=indent, separators=separators, sort_keys=sort_keys
        )

    def values(self) -> Any:
        """The settings as a dict."""
        return {name: getattr(self, name) for name in self._hparam_types}

    def get(self, key: Any, default: Any = None) -> Any:
        """A setting, or `default` where there is none.

        Raises:
            ValueError: `default` is of another type than the setting.
        """
        if key not in self._hparam_types:
            return default
        if default is not None:
            self._check_default(key, default)
        return getattr(self, key)

    def _check_default(self, key, default):
        kind, many = self._hparam_types[key]
        shown = f"list<{kind}>" if many else kind
        text = (
            f"Hparam '{key}' of type '{shown}' is incompatible with default={default}"
        )
        if many != isinstance(default, list):
            raise ValueError(text)
        try:
            for value in default if many else [default]:
                _cast(key, kind, value)
        except ValueError as error:
            raise ValueError(f"{text}. {error}") from None

    def __contains__(self, key):
        return key in self._hparam_types

    def __repr__(self):
        return f"HParams({self})"

    def __str__(self):
        return str(sorted(self.values().items()))

    def get_model_structure(self) -> Any:
        """What was given as `model_structure`."""
        return self._model_structure

    def set_model_structure(self, model_structure: Any) -> Any:
        """Replace it."""
        self._model_structure = model_structure
