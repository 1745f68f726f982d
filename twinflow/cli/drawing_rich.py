"""Tables as rich draws them, on a terminal."""

from collections.abc import Sequence

from rich import box, console, table, text


def draw(
    rows: Sequence[Sequence[str]], titles: Sequence[str], right: Sequence[str],
    title: str,
) -> None:  # fmt: skip
    """Print a table."""
    drawn = table.Table(
        box=box.SIMPLE_HEAD, title=title or None, title_justify="left", pad_edge=False
    )
    for i, name in enumerate(titles):
        drawn.add_column(
            name, justify="right" if name in right else "left", overflow="fold",
            style="cyan" if i == 0 else None, no_wrap=name in right,
        )  # fmt: skip
    for row in rows:
        drawn.add_row(*(text.Text(cell) for cell in row))
    console.Console().print(drawn)
