"""tf.test.StubOutForTesting: replace attributes for a while."""

import inspect
from typing import Any


class StubOutForTesting:
    """Replaces attributes, and puts them back.

    Example:
        import time
        with tf.test.StubOutForTesting() as stubs:
            stubs.Set(time, "time", lambda: 0.)
            time.time()  # 0.0
    """

    def __init__(self) -> None:
        self._before: list[Any] = []

    def __enter__(self) -> "StubOutForTesting":
        return self

    def __exit__(self, *exc):
        self.CleanUp()

    def __del__(self):
        self.CleanUp()

    def CleanUp(self) -> None:
        """Put everything back."""
        while self._before:
            parent, name, old = self._before.pop()
            setattr(parent, name, old)

    UnsetAll = SmartUnsetAll = CleanUp

    def Set(self, parent: Any, child_name: str, new_child: Any) -> None:
        """Replace an attribute."""
        old = getattr(parent, child_name)
        if isinstance(parent, type):
            old = inspect.getattr_static(parent, child_name)
        self._before.append((parent, child_name, old))
        setattr(parent, child_name, new_child)

    def SmartSet(self, obj: Any, attr_name: str, new_attr: Any) -> None:
        """Replace an attribute where it is defined: in the object or a class of it.

        Raises:
            AttributeError: there is no such attribute.
        """
        homes = [obj] if inspect.ismodule(obj) else [obj, *_classes(obj)]
        for home in homes:
            if attr_name in vars(home):
                self.Set(home, attr_name, new_attr)
                return
        raise AttributeError(f"{obj!r} has no attribute {attr_name!r}.")


def _classes(obj):
    return inspect.getmro(obj if isinstance(obj, type) else type(obj))
