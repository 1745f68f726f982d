"""Changes of a text: those that are run, and those that are shown to a reader."""

from typing import NamedTuple


class Edit(NamedTuple):
    """One change.

    Args:
        start, end: the place in the text. code: what is run there, or None.
        shown: what a person would write there, or None.
    """

    start: int
    end: int
    code: str | None
    shown: str | None


class Edits:
    """The changes of one text; they do not overlap, but for those that are shown."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.found: list[Edit] = []
        self.parts: dict[str, str] = {}  # names that stand for tuples of targets

    def replace(
        self, start: int, end: int, code: str, shown: str | None = None
    ) -> None:
        """Change a part of the text; `shown` is `code` if not given."""
        shown, breaks = code if shown is None else shown, self._breaks(start, end)
        self.found.append(Edit(start, end, code + breaks, shown + breaks))

    def show(self, start: int, end: int, shown: str) -> None:
        """Say what a person would write, and leave what is run."""
        self.found.append(Edit(start, end, None, shown + self._breaks(start, end)))

    def _breaks(self, start, end):
        """The line breaks that are covered: lines keep their numbers."""
        return "\n" * self.source.count("\n", start, end)

    def part(self, text: str) -> str:
        """A name to stand for a tuple of targets, as in `def f((a, b))`."""
        name = f"_twinflow_part_{len(self.parts)}"
        self.parts[name] = text
        return name

    def applied(self, *, shown: bool) -> str:
        """The text with the changes that are run, or with those that are shown."""
        pieces, at = [], 0
        for edit in self.in_order(shown=shown):
            if edit.start < at:
                continue  # inside of what another change covers
            new = edit.shown if shown else edit.code
            pieces += [self.source[at : edit.start], new or ""]
            at = edit.end
        return "".join([*pieces, self.source[at:]])

    def in_order(self, *, shown: bool) -> list[Edit]:
        """The changes of one kind, from the first to the last."""
        kept = [e for e in self.found if (e.shown if shown else e.code) is not None]
        return sorted(kept, key=lambda e: (e.start, e.end))


class Columns:
    """Where in a line of the text something of the changed line stood."""

    def __init__(self, edits: Edits) -> None:
        self._lines: dict[int, list[tuple[int, int, int]]] = {}
        source, shift, line, begin = edits.source, 0, 1, 0
        for edit in edits.in_order(shown=False):
            passed = source.count("\n", begin, edit.start)
            if passed:
                line, shift = line + passed, 0
                begin = source.rindex("\n", 0, edit.start) + 1
            at = edit.start - begin + shift
            size = len(edit.code or "")
            shift += size - (edit.end - edit.start)
            self._lines.setdefault(line, []).append((at, at + size, shift))

    def original(self, line: int, column: int) -> int:
        """The column before the changes; of text that was put in, where that begins."""
        shift = 0
        for start, end, after in self._lines.get(line, ()):
            if column < start:
                break
            if column < end:
                return start - shift
            shift = after
        return column - shift

    def __contains__(self, line: int) -> bool:
        return line in self._lines
