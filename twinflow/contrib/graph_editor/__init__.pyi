# Made by `make stubs` from the table of the index.
from twinflow.contrib.graph_editor import edit as edit
from twinflow.contrib.graph_editor import elements as util
from twinflow.contrib.graph_editor import reroute as reroute
from twinflow.contrib.graph_editor import select as select
from twinflow.contrib.graph_editor import subgraph as subgraph
from twinflow.contrib.graph_editor import transform as transform
from twinflow.contrib.graph_editor.edit import bypass as bypass
from twinflow.contrib.graph_editor.edit import connect as connect
from twinflow.contrib.graph_editor.edit import detach as detach
from twinflow.contrib.graph_editor.edit import detach_control_inputs as detach_control_inputs
from twinflow.contrib.graph_editor.edit import detach_control_outputs as detach_control_outputs
from twinflow.contrib.graph_editor.edit import detach_inputs as detach_inputs
from twinflow.contrib.graph_editor.edit import detach_outputs as detach_outputs
from twinflow.contrib.graph_editor.elements import ControlOutputs as ControlOutputs
from twinflow.contrib.graph_editor.elements import get_consuming_ops as get_consuming_ops
from twinflow.contrib.graph_editor.elements import get_generating_ops as get_generating_ops
from twinflow.contrib.graph_editor.elements import get_tensors as get_tensors
from twinflow.contrib.graph_editor.elements import make_list_of_op as make_list_of_op
from twinflow.contrib.graph_editor.elements import make_list_of_t as make_list_of_t
from twinflow.contrib.graph_editor.elements import make_placeholder_from_dtype_and_shape as make_placeholder_from_dtype_and_shape
from twinflow.contrib.graph_editor.elements import make_placeholder_from_tensor as make_placeholder_from_tensor
from twinflow.contrib.graph_editor.elements import make_placeholder_from_dtype_and_shape as ph
from twinflow.contrib.graph_editor.elements import placeholder_name as placeholder_name
from twinflow.contrib.graph_editor.reroute import add_control_inputs as add_control_inputs
from twinflow.contrib.graph_editor.reroute import remove_control_inputs as remove_control_inputs
from twinflow.contrib.graph_editor.reroute import reroute_inputs as reroute_inputs
from twinflow.contrib.graph_editor.reroute import reroute_ios as reroute_ios
from twinflow.contrib.graph_editor.reroute import reroute_outputs as reroute_outputs
from twinflow.contrib.graph_editor.reroute import reroute_ts as reroute_ts
from twinflow.contrib.graph_editor.reroute import swap_inputs as swap_inputs
from twinflow.contrib.graph_editor.reroute import swap_ios as swap_ios
from twinflow.contrib.graph_editor.reroute import swap_outputs as swap_outputs
from twinflow.contrib.graph_editor.reroute import swap_ts as swap_ts
from twinflow.contrib.graph_editor.select import can_be_regex as can_be_regex
from twinflow.contrib.graph_editor.select import check_cios as check_cios
from twinflow.contrib.graph_editor.select import compute_boundary_ts as compute_boundary_ts
from twinflow.contrib.graph_editor.select import filter_ops as filter_ops
from twinflow.contrib.graph_editor.select import filter_ops_from_regex as filter_ops_from_regex
from twinflow.contrib.graph_editor.select import filter_ts as filter_ts
from twinflow.contrib.graph_editor.select import filter_ts_from_regex as filter_ts_from_regex
from twinflow.contrib.graph_editor.select import get_backward_walk_ops as get_backward_walk_ops
from twinflow.contrib.graph_editor.select import get_forward_walk_ops as get_forward_walk_ops
from twinflow.contrib.graph_editor.select import get_name_scope_ops as get_name_scope_ops
from twinflow.contrib.graph_editor.select import get_ops_ios as get_ops_ios
from twinflow.contrib.graph_editor.select import get_walks_intersection_ops as get_walks_intersection_ops
from twinflow.contrib.graph_editor.select import get_walks_union_ops as get_walks_union_ops
from twinflow.contrib.graph_editor.select import get_within_boundary_ops as get_within_boundary_ops
from twinflow.contrib.graph_editor.select import make_regex as make_regex
from twinflow.contrib.graph_editor.select import select_ops as select_ops
from twinflow.contrib.graph_editor.select import select_ops_and_ts as select_ops_and_ts
from twinflow.contrib.graph_editor.select import select_ts as select_ts
from twinflow.contrib.graph_editor.subgraph import SubGraphView as SubGraphView
from twinflow.contrib.graph_editor.subgraph import make_view as make_view
from twinflow.contrib.graph_editor.subgraph import make_view_from_scope as make_view_from_scope
from twinflow.contrib.graph_editor.subgraph import make_view as sgv
from twinflow.contrib.graph_editor.subgraph import make_view_from_scope as sgv_scope
from twinflow.contrib.graph_editor.transform import Transformer as Transformer
from twinflow.contrib.graph_editor.transform import TransformerInfo as TransformerInfo
from twinflow.contrib.graph_editor.transform import assign_renamed_collections_handler as assign_renamed_collections_handler
from twinflow.contrib.graph_editor.transform import copy as copy
from twinflow.contrib.graph_editor.transform import copy_op_handler as copy_op_handler
from twinflow.contrib.graph_editor.transform import copy_with_input_replacements as copy_with_input_replacements
from twinflow.contrib.graph_editor.transform import graph_replace as graph_replace
from twinflow.contrib.graph_editor.transform import keep_t_if_possible_handler as keep_t_if_possible_handler
from twinflow.contrib.graph_editor.transform import replace_t_with_placeholder_handler as replace_t_with_placeholder_handler
from twinflow.contrib.graph_editor.transform import transform_op_if_inside_handler as transform_op_if_inside_handler

__all__ = [
"edit", "util", "reroute", "select", "subgraph", "transform", "bypass", "connect",
"detach", "detach_control_inputs", "detach_control_outputs", "detach_inputs",
"detach_outputs", "ControlOutputs", "get_consuming_ops", "get_generating_ops",
"get_tensors", "make_list_of_op", "make_list_of_t",
"make_placeholder_from_dtype_and_shape", "make_placeholder_from_tensor", "ph",
"placeholder_name", "add_control_inputs", "remove_control_inputs", "reroute_inputs",
"reroute_ios", "reroute_outputs", "reroute_ts", "swap_inputs", "swap_ios",
"swap_outputs", "swap_ts", "can_be_regex", "check_cios", "compute_boundary_ts",
"filter_ops", "filter_ops_from_regex", "filter_ts", "filter_ts_from_regex",
"get_backward_walk_ops", "get_forward_walk_ops", "get_name_scope_ops", "get_ops_ios",
"get_walks_intersection_ops", "get_walks_union_ops", "get_within_boundary_ops",
"make_regex", "select_ops", "select_ops_and_ts", "select_ts", "SubGraphView",
"make_view", "make_view_from_scope", "sgv", "sgv_scope", "Transformer",
"TransformerInfo", "assign_renamed_collections_handler", "copy", "copy_op_handler",
"copy_with_input_replacements", "graph_replace", "keep_t_if_possible_handler",
"replace_t_with_placeholder_handler", "transform_op_if_inside_handler"
]
