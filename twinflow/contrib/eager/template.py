"""tfe.make_template: tf.make_template whose function may be traced."""

import functools
from collections.abc import Callable
from typing import Any

from twinflow.execute.function import defun
from twinflow.graph import template


def make_template(
    name_: str, func_: Callable[..., Any], create_scope_now_: bool = False,
    unique_name_: Any = None, custom_getter_: Any = None,
    create_graph_function_: bool = False, **kwargs: Any,
) -> "template.Template":  # fmt: skip
    """As tf.make_template, with one argument more.

    Args:
        create_graph_function_: trace `func_`, as tfe.defun does.
    Example:
        f = tfe.make_template(
            "f", lambda x: x * tf.get_variable("w", []), create_graph_function_=True
        )
    """
    if create_graph_function_:
        func_ = defun(functools.partial(func_, **kwargs))
        kwargs = {}
    return template.make_template(
        name_, func_, create_scope_now_, unique_name_, custom_getter_, **kwargs
    )
