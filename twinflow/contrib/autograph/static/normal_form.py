"""Trees whose expressions are simple: pyct.common_transformers.anf."""

from typing import Any

from twinflow.autograph.transpiler import anf, transformer


class DummyGensym:
    """Names by a counter.

    Args:
        entity_info: accepted.
    """

    def __init__(self, entity_info: Any) -> None:
        self._last = 1000

    def new_name(self, stem: str = "tmp") -> str:
        """`stem_1001` and so on."""
        self._last += 1
        return f"{stem}_{self._last}"


def transform(node: Any, entity_info: Any, gensym_source: Any = None) -> Any:
    """A tree in A-normal form: the parts of expressions are names or constants.

    Args:
        node: the tree of a function. entity_info: its EntityInfo.
        gensym_source: a class whose objects have `new_name(stem)`; DummyGensym.
    Raises:
        ValueError: an expression has no such form, as a comprehension.
    """
    found = anf.AnfTransformer(transformer.Context(entity_info, None, None), None)
    found._gensym = (gensym_source or DummyGensym)(entity_info)
    return found.visit(node)
