"""The one table of op cases: importing this package loads the rows of every family."""

import importlib
import pkgutil

from twinflow import ops

for _package in (ops.__path__, "twinflow.ops"), (__path__, __name__):
    for _module in pkgutil.walk_packages(_package[0], _package[1] + "."):
        importlib.import_module(_module.name)
