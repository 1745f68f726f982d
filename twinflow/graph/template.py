"""tf.make_template: a function that keeps the variables of its first call."""

import functools
from collections.abc import Callable
from typing import Any

from twinflow.base import dispatch, frames
from twinflow.base.trackable import Trackable
from twinflow.graph.captured_parts import capture_dependencies
from twinflow.graph.variable_scope import PureVariableScope, scopes, variable_scope
from twinflow.graph.variable_store import EagerVariableStore, store
from twinflow.ops.variables.collections import GraphKeys, get_collection


class Template(Trackable):
    """What tf.make_template returns.

    Attributes:
        name: the name asked for. func: the function.
        variable_scope: the VariableScope of its variables; None before it is opened.
    """

    def __init__(
        self, name: str, func: Callable, create_scope_now: Any, unique_name: Any,
        custom_getter: Any,
    ) -> None:  # fmt: skip
        if name is None:
            raise ValueError("name cannot be None.")
        self.name, self.func = name, func
        self._unique, self._getter = unique_name, custom_getter
        self._where = frames.user_frames()
        self._variables_created = False
        eager = dispatch.current_mode().eager
        self._store = _eager_store() if eager else None
        self.variable_scope = None
        if create_scope_now:
            found = unique_name or scopes().unique(name)
            with PureVariableScope(found, custom_getter=custom_getter) as scope:
                self.variable_scope = scope

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.variable_scope is not None:
            with variable_scope(self.variable_scope, reuse=self._variables_created):
                return self._call(args, kwargs)
        with variable_scope(
            self._unique, self.name, custom_getter=self._getter
        ) as scope:
            self.variable_scope = scope
            return self._call(args, kwargs)

    def _call(self, args: Any, kwargs: Any) -> Any:
        try:
            with capture_dependencies(self):
                if self._store is None:
                    return self._checked(args, kwargs)
                with self._store.as_default():
                    return self._checked(args, kwargs)
        except Exception as error:
            self._add_origin(error)
            raise

    def _checked(self, args: Any, kwargs: Any) -> Any:
        before = len(self._trainable())
        result = self.func(*args, **kwargs)
        new = self._trainable()[before:]
        if self._variables_created and new:
            raise ValueError(
                "Trainable variable created when calling a template after the first "
                "time, perhaps you used tf.Variable when you meant tf.get_variable: "
                f"{new}"
            )
        self._variables_created = True
        return result

    def _trainable(self) -> Any:
        if self._store is not None:
            return self._store.trainable_variables()
        return get_collection(GraphKeys.TRAINABLE_VARIABLES)

    def _add_origin(self, error: Any) -> None:
        lines = "".join(
            f'  File "{pair[0].co_filename}", line {frames.line_number(pair)}, in '
            f"{pair[0].co_name}\n    {frames.source_line(pair)}\n"
            for pair in self._where[:3]
        )
        first, *rest = error.args or ("",)
        error.args = (f"{first}\n\noriginally defined at:\n{lines}", *rest)

    # ------------------------------------------------------------------ variables
    @property
    def var_scope(self) -> Any:
        """Same as `variable_scope`."""
        return self.variable_scope

    @property
    def variable_scope_name(self) -> Any:
        """The prefix of the names of its variables, with '/'; None before it is set."""
        name = self.variable_scope and self.variable_scope.name
        return name if not name or name.endswith("/") else name + "/"

    def _kept(self) -> list:
        """Its variables in eager mode: a template around it keeps them with its own."""
        start, store = self.variable_scope_name, self._store
        if not start or store is None:
            return []
        return [v for v in store.variables() if v.name.startswith(start)]

    def _collected(self, key: str) -> Any:
        if not self._variables_created:
            return []
        return get_collection(key, self.variable_scope_name)

    @property
    def variables(self) -> Any:
        """Its variables."""
        if self._store is not None:
            return self._kept()
        return self.global_variables + self.local_variables

    @property
    def trainable_variables(self) -> Any:
        """Those that are trained."""
        if self._store is not None:
            return [v for v in self._kept() if v.trainable]
        return self._collected(GraphKeys.TRAINABLE_VARIABLES)

    @property
    def non_trainable_variables(self) -> list:
        """The others."""
        if self._store is not None:
            return [v for v in self._kept() if not v.trainable]
        trained = set(self.trainable_variables)
        return [v for v in self.global_variables if v not in trained]

    @property
    def global_variables(self) -> Any:
        """Those that are saved; none in eager mode, which has no collections."""
        return self._collected(GraphKeys.GLOBAL_VARIABLES)

    @property
    def local_variables(self) -> Any:
        """Those that are not saved."""
        return self._collected(GraphKeys.LOCAL_VARIABLES)

    weights = variables
    trainable_weights = trainable_variables
    non_trainable_weights = non_trainable_variables


def _eager_store() -> Any:
    """Where a template keeps its variables in eager mode: in that of a call around."""
    around = store()
    return EagerVariableStore(around if around.keeps_eager else None)


def make_template(
    name_: Any, func_: Any, create_scope_now_: Any = False, unique_name_: Any = None,
    custom_getter_: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """A function like `func_` whose variables are made in its first call, and shared.

    Args:
        name_: the variable scope, which is numbered where it is taken.
        func_: a function that gets its variables by tf.get_variable.
        create_scope_now_: open the scope here and not in the first call.
        unique_name_: the variable scope, which is not numbered (graphs only).
        custom_getter_: see tf.variable_scope.
        kwargs: further arguments of `func_`.
    Returns:
        A Template.
    Raises:
        ValueError: `name_` is None, or a later call makes variables that are trained.
    Example:
        one = tf.ones_initializer()
        f = tf.make_template(
            "f", lambda x: x * tf.get_variable("w", [], initializer=one))
        f(2.)  # 2.0
    """
    if kwargs:
        func_ = functools.partial(func_, **kwargs)
    if unique_name_ is not None and dispatch.current_mode().eager:
        raise ValueError("unique_name_ cannot be used when eager exeuction is enabled.")
    return Template(name_, func_, create_scope_now_, unique_name_, custom_getter_)
