"""The environment variables of twinflow: what each does, and which are set."""

import difflib
import os
from collections.abc import Mapping
from typing import NamedTuple

from twinflow.cli.health.trouble import Trouble


class Setting(NamedTuple):
    """What a variable does; `slow`: the values with which programs take longer."""

    text: str
    values: tuple[str, ...] = ()
    slow: tuple[str, ...] = ()


KNOWN = {
    "TWINFLOW_CAPSULE": Setting("where a step that fails is kept"),
    "TWINFLOW_CHECKS": Setting("graphs are checked after every pass", slow=("1",)),
    "TWINFLOW_COLLECTIVE_SECONDS": Setting("how long a process waits for the others"),
    "TWINFLOW_COMPILE": Setting("when XLA compiles", ("auto", "wait", "never"),
                                ("never", "wait")),
    "TWINFLOW_COMPILE_CACHE": Setting("whether compiled programs are kept",
                                      ("on", "off"), ("off",)),
    "TWINFLOW_CONVOLUTIONS": Setting("0: convolutions are NumPy's", slow=("0",)),
    "TWINFLOW_COORDINATOR": Setting("set by `twinflow launch`"),
    "TWINFLOW_FAKE_GPUS": Setting("accelerators played by the CPU", slow=("1",)),
    "TWINFLOW_LOCAL_RANK": Setting("set by `twinflow launch`"),
    "TWINFLOW_LOCAL_SIZE": Setting("set by `twinflow launch`"),
    "TWINFLOW_NATIVE": Setting("0: without the C module; or another build of it"),
    "TWINFLOW_PRODUCTS": Setting("0: matrix products are NumPy's", slow=("0",)),
    "TWINFLOW_PROGRESS": Setting("off: long operations do not say how far they are",
                                 ("on", "off")),
    "TWINFLOW_RANDOM": Setting("whose random numbers are drawn",
                               ("tensorflow", "twin")),
    "TWINFLOW_RANK": Setting("set by `twinflow launch`"),
    "TWINFLOW_SAFE_MODE": Setting("0: code in saved models is run", ("0", "1")),
    "TWINFLOW_SIZE": Setting("set by `twinflow launch`"),
    "TWINFLOW_TF_COMPAT": Setting("the version of TensorFlow whose rules hold"),
    "TWINFLOW_TRACEBACK": Setting("full: tracebacks with twinflow's own frames",
                                  ("full", "")),
    "TWINFLOW_VECTOR": Setting("the widest vectors of the C module (4, 8, 16)",
                               ("4", "8", "16"), ("4", "8")),
}  # fmt: skip


def set_now(env: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables of twinflow that are set, sorted by name."""
    return {name: env[name] for name in sorted(env) if name.startswith("TWINFLOW_")}


def troubles(env: Mapping[str, str] = os.environ) -> list[Trouble]:
    """What is wrong with them."""
    return [found for item in set_now(env).items() for found in _of_one(*item)]


def _of_one(name: str, value: str) -> list[Trouble]:
    known = KNOWN.get(name)
    if known is None:
        near = difflib.get_close_matches(name, KNOWN, 1)
        fix = f"did you mean {near[0]}?" if near else f"unset {name}"
        return [Trouble(f"{name} is set, and means nothing to twinflow", fix)]
    if known.values and value not in known.values:
        expected = ", ".join(filter(None, known.values))
        text = f"{name} is {value!r}, which is none of {expected}"
        return [Trouble(text, f"unset {name}, or set it to one of them", broken=True)]
    if value in known.slow:
        return [Trouble(f"{name}={value} costs time ({known.text})", f"unset {name}")]
    return []
