"""What the datasets that read whole folders have in common: files, and their order."""

from twinflow.base.files import Glob


def files_of(file_pattern):
    """The sorted paths that match a pattern, or one of a list of patterns.

    Raises:
        ValueError: there are none.
    """
    patterns = file_pattern if isinstance(file_pattern, list) else [file_pattern]
    if not patterns:
        raise ValueError("File pattern is empty.")
    found = sorted(path for pattern in patterns for path in Glob(pattern))
    if not found:
        raise ValueError(f"No files match {file_pattern}.")
    return found


def shuffled_and_repeated(dataset, num_epochs, shuffle, buffer_size, seed):
    """The dataset in random order, if wanted, and as often as wanted (None: always)."""
    dataset = dataset.shuffle(buffer_size, seed) if shuffle else dataset
    return dataset if num_epochs == 1 else dataset.repeat(num_epochs)
