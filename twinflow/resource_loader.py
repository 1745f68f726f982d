"""tf.resource_loader: files that lie beside a program."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.compat.resources: get_data_files_path get_path_to_datafile load_resource
twinflow.compat.resources: get_root_dir_with_all_resources readahead_file_path
""",
)
