"""Tables as rich draws them, on a terminal."""

from collections.abc import Sequence

from rich import box, console, table, text


def draw(
    rows: Sequence[Sequence[str]], titles: Sequence[str], right: Sequence[str],
    title: str,
) -> None:  # fmt: skip
    """Print a table."""
    if title:
        console.Console().print(text.Text(title, style="bold"))
    drawn = table.Table(
        box=box.SIMPLE_HEAD if any(titles) else None, show_edge=False, pad_edge=False,
        show_header=any(titles),
    )  # fmt: skip
    for i, name in enumerate(titles):
        drawn.add_column(
            name, justify="right" if name in right else "left", overflow="fold",
            style="cyan" if i == 0 else None, no_wrap=name in right,
        )  # fmt: skip
    for row in rows:
        drawn.add_row(*(text.Text(cell) for cell in row))
    console.Console().print(drawn)
