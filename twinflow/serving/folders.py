"""The versions of a model: which are in its folder, and which of them are wanted."""

from typing import Any

from twinflow.base import stores
from twinflow.export.loading import maybe_saved_model_directory

_MOST = 2**63 - 1  # versions are int64


def versions_in(base: str) -> dict[int, str]:
    """The folders of a model's versions by number.

    A SavedModel without numbered folders around it is the version 1.

    Raises:
        OSError: the folder cannot be read.
    """
    if maybe_saved_model_directory(base):
        return {1: base}
    found: dict[int, str] = {}
    for name in sorted(stores.listdir(base)):
        path = stores.joined(base, name)
        number = int(name) if name.isascii() and name.isdecimal() else -1
        if 0 <= number <= _MOST and number not in found and stores.isdir(path):
            found[number] = path
    return found


def wanted(found: dict[int, str], policy: Any) -> list[int]:
    """The versions that a ServableVersionPolicy asks for, the newest first.

    Args:
        found: the folders by version. policy: the message; the newest if it is empty.
    """
    newest = sorted(found, reverse=True)
    choice = policy.WhichOneof("policy_choice")
    if choice == "all":
        return newest
    if choice == "specific":
        some = set(policy.specific.versions)
        return [number for number in newest if number in some]
    return newest[: policy.latest.num_versions or 1]
