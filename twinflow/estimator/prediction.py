"""What is predicted: which parts of it, and row by row."""


def wanted(predictions, keys):
    """The predictions of some keys; all of them for None.

    Raises:
        ValueError: there is none, or the predictions have no keys.
    """
    if not keys:
        return predictions
    if not isinstance(predictions, dict):
        raise ValueError("predict_keys argument is not valid in case of non-dict "
                         "predictions.")  # fmt: skip
    found = {k: v for k, v in predictions.items() if k in keys}
    if not found:
        raise ValueError(
            f"Expected to run at least one output from {list(predictions)}, provided "
            f"{keys}."
        )
    return found


def rows(found):
    """The predictions of a batch, row by row."""
    if not isinstance(found, dict):
        yield from found
        return
    lengths = {key: len(value) for key, value in found.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"Batch length of predictions should be same. Got {lengths}.")
    for i in range(next(iter(lengths.values()))):
        yield {key: value[i] for key, value in found.items()}
