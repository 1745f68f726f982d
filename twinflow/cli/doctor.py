"""`twinflow doctor`: what is there, what is slow or broken, and how to mend it."""

import pkgutil
from collections.abc import Callable

from twinflow.cli import drawing
from twinflow.cli.health import environment, installed, machine
from twinflow.cli.health.trouble import Trouble
from twinflow_terminal import statuses
from twinflow_terminal.versions import version

_PARTS: dict[str, Callable[[], dict[str, str]]] = {
    "versions": installed.versions,
    "extras": installed.extras,
    "C module": installed.c_module,
    "processor": machine.processor,
    "devices": machine.accelerators,
    "caches": installed.caches,
    "environment": environment.set_now,
}
_TRIAL = "twinflow.cli.health.trial:troubles"


def _tried() -> list[Trouble]:
    """What does not work; a variable with a wrong value keeps modules from loading."""
    try:
        return pkgutil.resolve_name(_TRIAL)()
    except Exception as error:
        text = f"twinflow does not start: {type(error).__name__}: {error}"
        return [Trouble(text, "see the troubles beside it", broken=True)]


_LOOKS = (installed.troubles, environment.troubles, machine.troubles, _tried)


def main(as_json: bool = False) -> int:
    """Look, and tell; the status is 1 if something is broken."""
    facts = {"twinflow": version(), **{name: look() for name, look in _PARTS.items()}}
    troubles = [trouble for look in _LOOKS for trouble in look()]
    if as_json:
        found = [trouble._asdict() for trouble in troubles]
        drawing.write_json({**facts, "troubles": found})
    else:
        _tell(facts, troubles)
    broken = any(trouble.broken for trouble in troubles)
    return statuses.FOUND if broken else statuses.FINE


def _tell(facts: dict, troubles: list[Trouble]) -> None:
    print(f"twinflow {facts.pop('twinflow')}\n")
    for name, part in facts.items():
        if part:
            rows = [(f"  {key}", value) for key, value in part.items()]
            drawing.show(rows, ("", ""), title=name)
            print()
    for trouble in sorted(troubles, key=lambda t: not t.broken):
        word, colour = ("broken", "red") if trouble.broken else ("slow", "yellow")
        print(f"{drawing.coloured(word, colour)}: {trouble.what}")
        print(f"   fix: {trouble.fix}")
    if not troubles:
        print("Nothing is slow or broken.")
