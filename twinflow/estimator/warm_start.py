"""WarmStartSettings: what a fresh training starts from."""

from typing import Any, NamedTuple


class WarmStartSettings(
    NamedTuple(
        "WarmStartSettings",
        [("ckpt_to_initialize_from", Any), ("vars_to_warm_start", Any),
         ("var_name_to_vocab_info", Any), ("var_name_to_prev_var_name", Any)],
    )
):  # fmt: skip
    """What a fresh training starts from; see tf.train.warm_start.

    Args:
        ckpt_to_initialize_from: a prefix or a folder.
        vars_to_warm_start: a regular expression of names, or a list.
        var_name_to_vocab_info: dict of VocabInfos. var_name_to_prev_var_name: dict of
            names in the checkpoint.
    Raises:
        ValueError: there is no checkpoint.
    """

    def __new__(
        cls, ckpt_to_initialize_from: Any, vars_to_warm_start: Any = ".*",
        var_name_to_vocab_info: Any = None, var_name_to_prev_var_name: Any = None,
    ):  # fmt: skip
        if not ckpt_to_initialize_from:
            raise ValueError(
                "`ckpt_to_initialize_from` MUST be set in WarmStartSettings"
            )
        return super().__new__(
            cls, ckpt_to_initialize_from, vars_to_warm_start,
            var_name_to_vocab_info or {}, var_name_to_prev_var_name or {},
        )  # fmt: skip
