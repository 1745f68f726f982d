# Made by `make stubs` from the table of the index.
from twinflow.contrib.specs import composing as specs_lib
from twinflow.contrib.specs.composing import Callable as Callable
from twinflow.contrib.specs.composing import Composable as Composable
from twinflow.contrib.specs.composing import Composition as Composition
from twinflow.contrib.specs.composing import External as External
from twinflow.contrib.specs.composing import Function as Function
from twinflow.contrib.specs.composing import Import as Import
from twinflow.contrib.specs.composing import KEYWORDS as KEYWORDS
from twinflow.contrib.specs.composing import Operator as Operator
from twinflow.contrib.specs.composing import QUOTED as QUOTED
from twinflow.contrib.specs.composing import check_keywords as check_keywords
from twinflow.contrib.specs.composing import debug as debug
from twinflow.contrib.specs.composing import get_positional as get_positional
from twinflow.contrib.specs import layers as specs_ops
from twinflow.contrib.specs.layers import Ap as Ap
from twinflow.contrib.specs.layers import Bn as Bn
from twinflow.contrib.specs.layers import Cl as Cl
from twinflow.contrib.specs.layers import Cm as Cm
from twinflow.contrib.specs.layers import Conc as Conc
from twinflow.contrib.specs.layers import Cr as Cr
from twinflow.contrib.specs.layers import Cs as Cs
from twinflow.contrib.specs.layers import Ct as Ct
from twinflow.contrib.specs.layers import Cx as Cx
from twinflow.contrib.specs.layers import Do as Do
from twinflow.contrib.specs.layers import Dwm as Dwm
from twinflow.contrib.specs.layers import Dws as Dws
from twinflow.contrib.specs.layers import Expand as Expand
from twinflow.contrib.specs.layers import Fl as Fl
from twinflow.contrib.specs.layers import Flat as Flat
from twinflow.contrib.specs.layers import Fm as Fm
from twinflow.contrib.specs.layers import Fr as Fr
from twinflow.contrib.specs.layers import Fs as Fs
from twinflow.contrib.specs.layers import Ft as Ft
from twinflow.contrib.specs.layers import Fun as Fun
from twinflow.contrib.specs.layers import Fx as Fx
from twinflow.contrib.specs.layers import Id as Id
from twinflow.contrib.specs.layers import Idx as Idx
from twinflow.contrib.specs.layers import Lrn as Lrn
from twinflow.contrib.specs.layers import Mp as Mp
from twinflow.contrib.specs.layers import Print as Print
from twinflow.contrib.specs.layers import Relu as Relu
from twinflow.contrib.specs.layers import Reshape as Reshape
from twinflow.contrib.specs.layers import Shared as Shared
from twinflow.contrib.specs.layers import Sig as Sig
from twinflow.contrib.specs.layers import Smax as Smax
from twinflow.contrib.specs.layers import Squeeze as Squeeze
from twinflow.contrib.specs.layers import Tanh as Tanh
from twinflow.contrib.specs.layers import Transpose as Transpose
from twinflow.contrib.specs.layers import Unit as Unit
from twinflow.contrib.specs.layers import Var as Var
from twinflow.contrib.specs import nets as specs
from twinflow.contrib.specs.nets import LocalImport as LocalImport
from twinflow.contrib.specs.nets import create_net as create_net
from twinflow.contrib.specs.nets import create_net_fun as create_net_fun
from twinflow.contrib.specs.nets import eval_params as eval_params
from twinflow.contrib.specs.nets import eval_spec as eval_spec
from twinflow.contrib.specs import params as params_ops
from twinflow.contrib.specs.params import Lf as Lf
from twinflow.contrib.specs.params import Li as Li
from twinflow.contrib.specs.params import Nt as Nt
from twinflow.contrib.specs.params import Uf as Uf
from twinflow.contrib.specs.params import Ui as Ui
from twinflow.contrib.specs import summaries as summaries
from twinflow.contrib.specs.summaries import SHORT_NAMES as SHORT_NAMES
from twinflow.contrib.specs.summaries import tf_left_split as tf_left_split
from twinflow.contrib.specs.summaries import tf_num_params as tf_num_params
from twinflow.contrib.specs.summaries import tf_parameter_iter as tf_parameter_iter
from twinflow.contrib.specs.summaries import tf_parameter_summary as tf_parameter_summary
from twinflow.contrib.specs.summaries import tf_print as tf_print
from twinflow.contrib.specs.summaries import tf_spec_print as tf_spec_print
from twinflow.contrib.specs.summaries import tf_spec_structure as tf_spec_structure
from twinflow.contrib.specs.summaries import tf_spec_summary as tf_spec_summary
from twinflow.contrib.specs.summaries import tf_structure as tf_structure

__all__ = [
"specs_lib", "Callable", "Composable", "Composition", "External", "Function", "Import",
"KEYWORDS", "Operator", "QUOTED", "check_keywords", "debug", "get_positional",
"specs_ops", "Ap", "Bn", "Cl", "Cm", "Conc", "Cr", "Cs", "Ct", "Cx", "Do", "Dwm", "Dws",
"Expand", "Fl", "Flat", "Fm", "Fr", "Fs", "Ft", "Fun", "Fx", "Id", "Idx", "Lrn", "Mp",
"Print", "Relu", "Reshape", "Shared", "Sig", "Smax", "Squeeze", "Tanh", "Transpose",
"Unit", "Var", "specs", "LocalImport", "create_net", "create_net_fun", "eval_params",
"eval_spec", "params_ops", "Lf", "Li", "Nt", "Uf", "Ui", "summaries", "SHORT_NAMES",
"tf_left_split", "tf_num_params", "tf_parameter_iter", "tf_parameter_summary",
"tf_print", "tf_spec_print", "tf_spec_structure", "tf_spec_summary", "tf_structure"
]
