"""What notebooks show of a session; see Note [Cards]."""

from collections import Counter
from typing import Any

from twinflow.drawing.cards import Markup, card, folded, table

_MOST = 20  # kinds of ops


def card_of(session: Any) -> Markup:
    """Its graph in numbers, and whether it is open; nothing is run."""
    operations = session.graph.get_operations()
    kinds = Counter(op.type for op in operations).most_common()
    state = "closed" if session._closed else "open"
    rows = [("state", state), ("operations", f"{len(operations):,}"),
            ("variables", _variables(kinds)),
            ("target", session.sess_str.decode() or "this process")]  # fmt: skip
    listed = table(kinds, head=("op", "count"), numbers=[1], most=_MOST)
    return card(f"tf.{type(session).__name__}", table(rows), folded("ops", listed))


def _variables(kinds: list[tuple[str, int]]) -> int:
    """How many of the operations make variables."""
    return sum(n for kind, n in kinds if kind in ("VariableV2", "VarHandleOp"))
