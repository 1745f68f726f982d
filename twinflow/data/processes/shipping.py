"""Functions as bytes, for a process that was started anew.

Note [Shipping]: what can be imported travels by its name, as with pickle. What cannot
(a function or class of the main script, a lambda, a closure) travels by value, with
those globals that its code names: cloudpickle does that. So a script needs no
`if __name__ == "__main__"` around it.
"""

import importlib
import io
import pickle
import types
from typing import Any

import cloudpickle


def dumps(value: object) -> bytes:
    """The bytes of a value that may hold functions.

    Raises:
        pickle.PicklingError and others: a part of it cannot be sent.
    """
    file = io.BytesIO()
    _Shipper(file).dump(value)
    return file.getvalue()


def loads(data: bytes) -> Any:
    """The value of `dumps`, in another process."""
    return pickle.loads(data)


class _Shipper(cloudpickle.CloudPickler):
    def reducer_override(self, value: Any) -> Any:
        """As cloudpickle, and modules of classes of their own by their names."""
        if isinstance(value, types.ModuleType) and type(value) is not types.ModuleType:
            return importlib.import_module, (value.__name__,)
        return super().reducer_override(value)
