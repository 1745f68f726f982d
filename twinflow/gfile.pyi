# Made by `make stubs` from the table of the index.
from twinflow.base.files import Copy as Copy
from twinflow.base.files import DeleteRecursively as DeleteRecursively
from twinflow.base.files import Exists as Exists
from twinflow.base.files import FastGFile as FastGFile
from twinflow.base.files import GFile as GFile
from twinflow.base.files import Glob as Glob
from twinflow.base.files import IsDirectory as IsDirectory
from twinflow.base.files import ListDirectory as ListDirectory
from twinflow.base.files import MakeDirs as MakeDirs
from twinflow.base.files import MkDir as MkDir
from twinflow.base.files import Open as Open
from twinflow.base.files import Remove as Remove
from twinflow.base.files import Rename as Rename
from twinflow.base.files import Stat as Stat
from twinflow.base.files import Walk as Walk

__all__ = [
"Copy", "DeleteRecursively", "Exists", "FastGFile", "GFile", "Glob", "IsDirectory",
"ListDirectory", "MakeDirs", "MkDir", "Open", "Remove", "Rename", "Stat", "Walk"
]
