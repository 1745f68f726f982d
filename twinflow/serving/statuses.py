"""How the versions of a model are."""

from typing import Any

from twinflow.base import errors
from twinflow.serving.manager import Manager
from twinflow.serving.messages import status_of
from twinflow.serving.service import code_and_text


def statuses(manager: Manager, name: str, number: int | None, label: str) -> Any:
    """The GetModelStatusResponse of a model, or of one version of it.

    Raises:
        NotFoundError: there is none. InvalidArgumentError: no such label.
    """
    model = manager.model(name)
    if label:
        number = manager.labelled(model, label)
    found = sorted(model.versions.values(), key=lambda v: -v.number)
    if number is not None:
        found = [v for v in found if v.number == number]
    if not found:
        which = "" if number is None else f" with version {number}"
        raise errors.NotFoundError(
            None, None, f"Could not find any versions of model {name}{which}"
        )
    told = []
    for version in found:
        error = version.error
        code, text = (errors.OK, "") if error is None else code_and_text(error)
        told.append((version, code, text))
    return status_of(told)
