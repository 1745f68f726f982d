# Made by `make stubs` from the table of the index.
from twinflow.compat.resources import get_data_files_path as get_data_files_path
from twinflow.compat.resources import get_path_to_datafile as get_path_to_datafile
from twinflow.compat.resources import load_resource as load_resource
from twinflow.compat.resources import get_root_dir_with_all_resources as get_root_dir_with_all_resources
from twinflow.compat.resources import readahead_file_path as readahead_file_path

__all__ = [
"get_data_files_path", "get_path_to_datafile", "load_resource",
"get_root_dir_with_all_resources", "readahead_file_path"
]
