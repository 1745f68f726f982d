"""The answer: same or not, where not, and how much was compared."""

import dataclasses

from twinflow.verification.differences import Difference
from twinflow.verification.events import Course


@dataclasses.dataclass
class Verdict:
    """Whether a program means the same in every way of running it.

    Attributes:
        differences: the first of each pair of ways, the earliest first; those that the
            rules for graphs found behind them.
        ways: those that ran. ops, lines: how many were seen. functions: the calls that
            ran both as Python code and as graphs. sessions: runs of sessions.
        remarks: sentences on what was not compared.
    """

    differences: list[Difference]
    ways: list[str]
    ops: int = 0
    lines: int = 0
    functions: int = 0
    sessions: int = 0
    remarks: list[str] = dataclasses.field(default_factory=list)

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    def __bool__(self) -> bool:
        return self.same

    def __str__(self) -> str:
        lines = [d.as_text() for d in self.differences[:1]]
        lines.append("different" if self.differences else "the same in every way")
        lines.append(
            f"compared: {', '.join(self.ways)}; {self.ops} ops on {self.lines} lines, "
            f"{self.functions} calls of functions, {self.sessions} runs of sessions"
        )
        return "\n".join(lines + self.remarks)

    __repr__ = __str__

    def as_json(self) -> dict:
        """For machines."""
        return {
            "same": self.same, "ways": self.ways, "ops": self.ops, "lines": self.lines,
            "functions": self.functions, "sessions": self.sessions,
            "remarks": self.remarks,
            "differences": [d.as_json() for d in self.differences],
        }  # fmt: skip


def remarks_of(traces: list[Course]) -> list[str]:
    """What could not be compared."""
    found = []
    dropped = sum(t.inner_dropped for t in traces)
    if dropped:
        found.append(f"not kept: {dropped} runs of ops inside functions")
    if any(t.effects_unseen for t in traces):
        found.append(
            "effects of Python code were not watched: something else traces it"
        )
    first = traces[0]
    if first.stopped:
        found.append(f"{first.stopped}: what follows was not compared")
    if first.threads:
        found.append(
            "Threads fill queues as time allows: the values of runs of sessions and "
            "what was printed were not compared."
        )
    if not first.functions and not first.sessions:
        found.append(
            "Nothing of the program runs as a graph: it has no function, no model that "
            "is fitted, no map of a dataset and no session."
        )
    return found
