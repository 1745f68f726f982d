# Made by `make stubs` from the table of the index.
from twinflow.contrib.autograph.element_lists import GetItemOpts as GetItemOpts
from twinflow.contrib.autograph.element_lists import ListPopOpts as ListPopOpts
from twinflow.contrib.autograph.element_lists import ListStackOpts as ListStackOpts
from twinflow.contrib.autograph.element_lists import get_item as get_item
from twinflow.contrib.autograph.element_lists import list_append as list_append
from twinflow.contrib.autograph.element_lists import list_pop as list_pop
from twinflow.contrib.autograph.element_lists import list_stack as list_stack
from twinflow.contrib.autograph.element_lists import new_list as new_list
from twinflow.contrib.autograph.element_lists import set_item as set_item
from twinflow.contrib.autograph.in_words import for_stmt as for_stmt
from twinflow.contrib.autograph.in_words import if_stmt as if_stmt
from twinflow.contrib.autograph.in_words import range_ as range_
from twinflow.contrib.autograph.in_words import while_stmt as while_stmt
from twinflow.autograph.python_builtins import float_ as float_
from twinflow.autograph.python_builtins import int_ as int_
from twinflow.autograph.python_builtins import len_ as len_
from twinflow.autograph.python_builtins import print_ as print_
from twinflow.autograph.python_builtins import abs_ as abs_
from twinflow.autograph.python_builtins import overload_of as overload_of

__all__ = [
"GetItemOpts", "ListPopOpts", "ListStackOpts", "get_item", "list_append", "list_pop",
"list_stack", "new_list", "set_item", "for_stmt", "if_stmt", "range_", "while_stmt",
"float_", "int_", "len_", "print_", "abs_", "overload_of"
]
