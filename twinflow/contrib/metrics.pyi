# Made by `python -m twinflow.testing.stubs` from the table of the index.
from twinflow.ops.confusion_matrix import confusion_matrix as confusion_matrix
