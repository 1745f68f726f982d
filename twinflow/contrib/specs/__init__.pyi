# Made by `make stubs` from the table of the index.
from twinflow.contrib.specs.nets import create_net as create_net
from twinflow.contrib.specs.nets import create_net_fun as create_net_fun
from twinflow.contrib.specs.nets import eval_params as eval_params
from twinflow.contrib.specs.nets import eval_spec as eval_spec

__all__ = [
"create_net", "create_net_fun", "eval_params", "eval_spec"
]
