"""scikit-learn before 0.22: classes and modules with other homes today."""

import pkgutil

import numpy as np

from twinflow.compat.old_libraries.changing import Change

_SELECTION = "sklearn.model_selection"


def preprocessing(module):
    """`Imputer`."""

    def Imputer(missing_values="NaN", strategy="mean", axis=0, verbose=0, copy=True):
        if axis != 0:
            raise ValueError(
                f"Imputer(axis={axis}): scikit-learn fills columns only; transpose "
                "the array."
            )
        missing = np.nan if missing_values == "NaN" else missing_values
        new = pkgutil.resolve_name("sklearn.impute:SimpleImputer")
        return new(missing_values=missing, strategy=strategy, copy=copy)

    return [Change(module, {"Imputer": Imputer})]


def cross_validation():
    """The names of `sklearn.cross_validation`, whose folds were lists of places."""
    names = dict(vars(pkgutil.resolve_name(_SELECTION)))

    def KFold(n, n_folds=3, shuffle=False, random_state=None):
        folds = names["KFold"](n_folds, shuffle=shuffle, random_state=random_state)
        return list(folds.split(range(n)))

    def StratifiedKFold(y, n_folds=3, shuffle=False, random_state=None):
        kind = names["StratifiedKFold"]
        folds = kind(n_folds, shuffle=shuffle, random_state=random_state)
        return list(folds.split(np.zeros(len(y)), y))

    def LeaveOneOut(n):
        return list(names["LeaveOneOut"]().split(range(n)))

    def ShuffleSplit(n, n_iter=10, test_size=0.1, train_size=None, random_state=None):
        kind = names["ShuffleSplit"]
        split = kind(
            n_iter,
            test_size=test_size,
            train_size=train_size,
            random_state=random_state,
        )
        return list(split.split(range(n)))

    return names | {
        "KFold": KFold, "StratifiedKFold": StratifiedKFold, "LeaveOneOut": LeaveOneOut,
        "ShuffleSplit": ShuffleSplit,
    }  # fmt: skip
