"""`twinflow man`: the manual page, in roff, from the texts of the help."""

from collections.abc import Iterator

import click

from twinflow_terminal import commands, statuses, versions


def main() -> int:
    """Print it."""
    print("\n".join(page()))
    return statuses.FINE


def page() -> Iterator[str]:
    """The lines of the page."""
    whole = commands.TWINFLOW
    yield f'.TH TWINFLOW 1 "" "twinflow {versions.version()}"'
    yield from (".SH NAME", f"twinflow \\- {_text(whole.help)}")
    yield from (".SH SYNOPSIS", ".B twinflow", "COMMAND ...")
    for title, listed in commands.SECTIONS.items():
        yield f".SH {title.upper()}"
        for command in listed:
            yield from _command(command, "twinflow")
    yield ".SH EXIT STATUS"
    for number, text in statuses.TABLE:
        yield from (".TP", f".B {number}", _text(text))


def _command(command: click.Command, above: str) -> Iterator[str]:
    path = f"{above} {command.name}"
    ctx = click.Context(command, info_name=path)
    usage = " ".join(command.collect_usage_pieces(ctx))
    yield from (f".SS {_text(path)} {_text(usage)}", _text(command.help))
    for param in command.params:
        record = param.get_help_record(ctx)
        if record is not None:
            yield from (".TP", f".B {_text(record[0])}", _text(record[1]))
    if command.epilog:
        lines = command.epilog.replace("\b", "").strip("\n").splitlines()
        yield from (".PP", ".nf", *map(_text, lines), ".fi")
    for inner in getattr(command, "commands", {}).values():
        yield from _command(inner, path)


def _text(text: str | None) -> str:
    """Text that roff takes for text."""
    escaped = (text or "").replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + escaped if escaped[:1] in (".", "'") else escaped
