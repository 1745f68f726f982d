"""The one table of op cases: importing this package loads the rows of every family."""

import importlib
import pkgutil

from twinflow import ops

for _package in (ops.__path__, "twinflow.ops"), (__path__, __name__):
    for _module in pkgutil.iter_modules(_package[0]):
        importlib.import_module(f"{_package[1]}.{_module.name}")
