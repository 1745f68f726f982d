"""`twinflow completion SHELL`: what the shell reads, made by click."""

from click import shell_completion

from twinflow_terminal import commands, statuses


def main(shell: str) -> int:
    """Print the functions of a shell."""
    kind = shell_completion.get_completion_class(shell)
    if kind is None:
        return statuses.NOT_DONE
    made = kind(commands.TWINFLOW, {}, "twinflow", commands.COMPLETE)
    print(made.source_template % made.source_vars())  # `source` would start a bash
    return statuses.FINE
