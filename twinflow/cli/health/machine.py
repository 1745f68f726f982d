"""The machine: processor, threads, memory, devices."""

import os
import platform
from pathlib import Path

import numpy as np

from twinflow.base import devices, heap
from twinflow.cli.drawing import size
from twinflow.cli.health.trouble import Trouble

_FLAGS = ("sse4_2", "avx", "avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512dq",
          "avx512vl", "avx512_bf16", "amx_tile", "asimd", "sve")  # fmt: skip
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_GPU = Path("/proc/driver/nvidia/version")


def _cpuinfo() -> dict[str, str]:
    """What Linux says of the first processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
    except OSError:
        return {}
    pairs = (line.partition(":") for line in lines)
    return {name.strip(): value.strip() for name, _, value in pairs}


def features() -> list[str]:
    """The vector instructions of the processor, as far as they are known."""
    found = _cpuinfo()
    flags = f"{found.get('flags', '')} {found.get('Features', '')}".split()
    return [name for name in _FLAGS if name in flags]


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS, Windows
        return os.cpu_count() or 1


def quota() -> float | None:
    """How many cores a container may use at a time, where that is less than all."""
    try:
        most, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
    except (OSError, ValueError):
        return None
    return None if most == "max" else int(most) / int(period)


def processor() -> dict[str, str]:
    """What is known of it, by name."""
    limit, blas = quota(), np.show_config("dicts")["Build Dependencies"]["blas"]
    count = f"{cores()}" + (f", limited to {limit:g} by the container" if limit else "")
    return {
        "model": _cpuinfo().get("model name") or platform.processor(),
        "features": " ".join(features()) or "not known",
        "cores": count,
        "matrix products": f"{blas['name']} {blas['version']}",
        "threads": " ".join(_limits()) or "no limit is set",
        "memory": size(heap.memory_of_machine()),
    }


def _limits() -> list[str]:
    return [f"{name}={os.environ[name]}" for name in _set_limits()]


def _set_limits() -> list[str]:
    return [name for name in _THREADS if name in os.environ]


def accelerators() -> dict[str, str]:
    """The devices by name, with what they are."""
    found = {}
    for name in devices.list_devices():
        facts = devices.facts_of(name)
        found[name.rpartition("/device:")[2]] = facts.description or platform.machine()
    return found


def troubles() -> list[Trouble]:
    """What is slow here."""
    found = []
    if platform.machine() in ("x86_64", "AMD64") and "avx2" not in features():
        found.append(Trouble(
            "the processor has no AVX2, or the virtual machine hides it: kernels use "
            "vectors of four numbers", "let the virtual machine show its host's CPU",
        ))  # fmt: skip
    if cores() > 1 and any(limit.endswith("=1") for limit in _limits()):
        found.append(Trouble(
            f"{' '.join(_limits())} keeps {cores() - 1} of {cores()} cores idle in "
            "matrix products", f"unset {' '.join(_set_limits())}",
        ))  # fmt: skip
    if "openblas" not in _blas():
        found.append(Trouble(
            f"NumPy's matrix products come from {_blas()}, not OpenBLAS: twinflow "
            "cannot share them out", "python -m pip install --force-reinstall numpy",
        ))  # fmt: skip
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if busy > 1.5 * cores():
        found.append(Trouble(
            f"other programs keep the machine busy (load {busy:.1f})",
            "wait for them before you measure anything",
        ))  # fmt: skip
    return found + _of_gpus()


def _blas() -> str:
    return str(np.show_config("dicts")["Build Dependencies"]["blas"]["name"])


def _of_gpus() -> list[Trouble]:
    if not _GPU.exists() or devices.num_gpus():
        return []
    return [Trouble("there is a driver for NVIDIA GPUs, and no GPU is used",
                    'python -m pip install "twinflow[cuda]"')]  # fmt: skip
