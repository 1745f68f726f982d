"""tf.gfile: files and folders."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.base.files: Copy DeleteRecursively Exists FastGFile GFile Glob IsDirectory
twinflow.base.files: ListDirectory MakeDirs MkDir Open Remove Rename Stat Walk
""",
)
