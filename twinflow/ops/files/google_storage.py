"""Ops that say how gs:// paths are reached: as whom, and in what pieces."""

import json

from twinflow.base import errors, stores
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.ops.core.versions import nothing
from twinflow.ops.strings.arrays import as_text, one

_SCHEMES = ("gs", "gcs")
_REFRESHED = ("client_id", "client_secret", "refresh_token")
_OF_SERVICE = ("private_key", "private_key_id", "client_email")


def _as_whom(json_text):
    try:
        found = json.loads(as_text(one(json_text)))
    except ValueError as error:
        raise invalid(f"Could not parse: {error}") from error
    kinds = {"refresh_token": _REFRESHED, "private_key": _OF_SERVICE}
    kind = next((k for k in kinds if isinstance(found, dict) and k in found), None)
    if kind is None:
        raise invalid(
            "JSON format incompatible; did not find fields `refresh_token` or "
            "`private_key`."
        )
    for name in kinds[kind]:
        if name not in found:
            text = f"Couldn't read a JSON value '{name}'."
            raise errors.FailedPreconditionError(None, None, text)
    stores.configure(_SCHEMES, {"token": found})
    return ()


def _in_pieces(max_cache_size, block_size, max_staleness):
    if int(max_cache_size) < int(block_size):
        raise invalid("block_size must be at most max_cache_size")
    options = {"block_size": int(block_size) or None}
    if int(max_staleness):
        options["cache_timeout"] = int(max_staleness)
    stores.configure(_SCHEMES, options)
    return ()


GcsConfigureCredentials = define(
    "GcsConfigureCredentials", infer=nothing, host=_as_whom, stateful=True
)
GcsConfigureBlockCache = define(
    "GcsConfigureBlockCache", infer=nothing, host=_in_pieces, stateful=True
)
