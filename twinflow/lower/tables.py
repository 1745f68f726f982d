"""How single ops are lowered, where their kernel is not enough.

Each module ``rules_FAMILY`` of this package holds a dict ``rules``: op type ->
``function(*arrays, **attrs)``.
"""

import importlib
import pkgutil

from twinflow import lower

rules: dict = {}
for _module in pkgutil.iter_modules(lower.__path__):
    if _module.name.startswith("rules_"):
        rules.update(importlib.import_module(f"twinflow.lower.{_module.name}").rules)
# op type -> function(lowering, node, program); see control_flow
special: dict = {}
