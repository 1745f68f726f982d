"""What click's commands have in common here: sections, programs, and mistakes."""

import difflib
import functools
import os
import pkgutil
import sys
from collections.abc import Callable, Iterable
from typing import Any

import click

from twinflow_terminal import running, statuses

WIDTH = 88


class Command(click.Command):
    """A command that `target` carries out, once the command line has been read.

    Args:
        name: of it. target: "module:function", called with the parameters by name.
        text: its help; the first sentence stands in lists. params: what it takes.
        epilog: what stands below, as it is written.
    """

    def __init__(
        self, name: str, target: str, text: str, *params: click.Parameter,
        epilog: str = "", hidden: bool = False,
    ) -> None:  # fmt: skip
        self.target = target
        callback = functools.partial(_later, target)
        kept = epilog and "\b\n" + epilog.strip("\n").replace("\n\n", "\n\n\b\n")
        super().__init__(
            name, params=list(params), help=text, callback=callback, epilog=kept,
            short_help=text.partition(". ")[0].rstrip("."), hidden=hidden,
        )  # fmt: skip


def _later(target: str, /, **given: Any) -> Callable[[], int]:
    """Called outside of click, whose frames would be in the tracebacks of programs."""
    work = functools.partial(pkgutil.resolve_name, target)
    if "argv" in given:  # a program, whose errors are its own
        return lambda: work()(**given)
    return lambda: _carried_out(lambda: work()(**given))


def _carried_out(work: Callable[[], int]) -> int:
    """What it returns; Ctrl-C and a pipe that nobody reads any more end it quietly."""
    try:
        status = work()
        sys.stdout.flush()
    except KeyboardInterrupt:
        return statuses.INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return statuses.FINE
    return status


class ProgramCommand(Command):
    """A command that runs a script: what stands behind the script is the script's.

    The function is given `argv`: the options for `twinflow run`, the script (or `-m`
    and a module) and its arguments.
    """

    def __init__(self, name: str, target: str, text: str, *params: click.Parameter,
                 epilog: str = "") -> None:  # fmt: skip
        shared = [_option_of_run(option, name == "run") for option in running.TABLE]
        if name != "run":
            epilog += (
                "\n\nThe options of `twinflow run` may stand before the script, too."
            )
        script = click.Argument(
            ["script"], nargs=-1, type=click.Path(), metavar="SCRIPT [ARGUMENTS]...",
            expose_value=False,
        )  # fmt: skip
        super().__init__(name, target, text, *params, *shared, script, epilog=epilog)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options; leave what follows as it is."""
        own, program = self._split(args)
        rest = super().parse_args(ctx, list(own))
        if not program and not ctx.resilient_parsing:
            raise click.UsageError("which script?", ctx)
        ctx.params["argv"] = [*self._of_run(own), *program]
        return rest

    def _split(self, args: list[str]) -> tuple[list[str], list[str]]:
        takes, count = self._takes(), 0
        while count < len(args) and args[count][:1] == "-" and args[count] != "-m":
            if args[count] == "--":
                return args[:count], args[count + 1 :]
            count += 2 if args[count] in takes else 1
        program = args[count:]
        if program[1:2] == ["--"]:
            del program[1]
        return args[:count], program

    def _takes(self) -> set[str]:
        """The options that take the next argument."""
        options = (p for p in self.params if isinstance(p, click.Option))
        return {name for o in options if not o.is_flag for name in o.opts}

    def _of_run(self, own: list[str]) -> list[str]:
        """Those of the options that are for `twinflow run`."""
        names, takes, found = {o.name for o in running.TABLE}, self._takes(), []
        rest = list(own)
        while rest:
            part = [rest.pop(0)]
            part += [rest.pop(0)] if part[0] in takes and rest else []
            found += part if part[0].partition("=")[0] in names else []
        return found


def _option_of_run(option: running.Option, shown: bool) -> click.Option:
    kind: Any = click.IntRange(min=0) if option.unit == "N" else None
    if option.unit in ("FILE", "DIR"):
        kind = click.Path()
    return click.Option(
        [option.name], is_flag=None if option.unit else True, type=kind,
        metavar=option.unit or None, help=option.text, expose_value=False,
        hidden=not shown,
    )  # fmt: skip


class Group(click.Group):
    """Commands, listed in sections; one that is not there brings the nearest to mind.

    Args:
        sections: {title: commands}.
    """

    def __init__(self, name: str, text: str, sections: dict[str, list], **more: Any):
        listed = [command for commands in sections.values() for command in commands]
        super().__init__(
            name, help=text, commands={c.name: c for c in listed},
            short_help=text.partition(". ")[0].rstrip("."), no_args_is_help=False,
            subcommand_metavar="COMMAND ...", **more,
        )  # fmt: skip
        self.sections = sections

    def format_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the sections."""
        for title, commands in self.sections.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(c.name, c.get_short_help_str(WIDTH)) for c in commands]
                )

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command that is named."""
        if args and self.get_command(ctx, args[0]) is None:
            near = nearest(args[0], self.commands)
            raise click.UsageError(f"no command {args[0]!r}{near}", ctx)
        return super().resolve_command(ctx, args)


def nearest(word: str, known: Iterable[str]) -> str:
    """ ". Did you mean ...?", or "" where nothing is like it."""
    found = difflib.get_close_matches(word, list(known), 1)
    return f". Did you mean {found[0]!r}?" if found else ""


def obey(group: click.Group, argv: list[str], complete: str) -> int:
    """Read a command line, and carry it out; returns the exit status."""
    try:
        done = group.main(
            argv, "twinflow", complete, standalone_mode=False, max_content_width=WIDTH
        )
    except click.ClickException as error:
        _show(error, group, argv)
        return statuses.NOT_DONE
    except click.Abort:
        return statuses.INTERRUPTED
    return done() if callable(done) else done or statuses.FINE


def _show(error: click.ClickException, group: click.Group, argv: list[str]) -> None:
    """One line, and where the help is."""
    command, path = _named(group, argv)
    text = error.format_message()
    if isinstance(error, click.NoSuchOption):
        known = [name for p in command.params for name in (*p.opts, *p.secondary_opts)]
        text = f"no option {error.option_name!r}{nearest(error.option_name, known)}"
    elif isinstance(error, click.MissingParameter) and error.param is not None:
        text = f"{error.param.metavar or error.param.name} is missing"
    elif isinstance(error, click.BadOptionUsage):
        text = f"{error.option_name} needs a value"
    front = path if os.environ.get("NO_COLOR") else click.style(path, fg="red")
    click.echo(f"{front}: {text.rstrip('.')}\nTry `{path} --help`.", err=True)


def _named(command: click.Command, argv: list[str]) -> tuple[click.Command, str]:
    """(the command that a command line is for, how it is called)"""
    path = "twinflow"
    for word in argv:
        inner = command.commands.get(word) if isinstance(command, click.Group) else None
        if inner is None:
            break
        command, path = inner, f"{path} {word}"
    return command, path
