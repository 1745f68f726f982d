# Made by `make stubs` from the table of the index.
from twinflow.keras.callbacks.base import BaseLogger as BaseLogger
from twinflow.keras.callbacks.base import Callback as Callback
from twinflow.keras.callbacks.base import CallbackList as CallbackList
from twinflow.keras.callbacks.base import History as History
from twinflow.keras.callbacks.base import ProgbarLogger as ProgbarLogger
from twinflow.keras.callbacks.base import configure_callbacks as configure_callbacks
from twinflow.keras.callbacks.standard import CSVLogger as CSVLogger
from twinflow.keras.callbacks.standard import EarlyStopping as EarlyStopping
from twinflow.keras.callbacks.standard import LambdaCallback as LambdaCallback
from twinflow.keras.callbacks.standard import LearningRateScheduler as LearningRateScheduler
from twinflow.keras.callbacks.standard import ModelCheckpoint as ModelCheckpoint
from twinflow.keras.callbacks.standard import ReduceLROnPlateau as ReduceLROnPlateau
from twinflow.keras.callbacks.standard import RemoteMonitor as RemoteMonitor
from twinflow.keras.callbacks.standard import TerminateOnNaN as TerminateOnNaN
from twinflow.keras.callbacks.tensorboard import TensorBoard as TensorBoard

__all__ = [
"BaseLogger", "Callback", "CallbackList", "History", "ProgbarLogger",
"configure_callbacks", "CSVLogger", "EarlyStopping", "LambdaCallback",
"LearningRateScheduler", "ModelCheckpoint", "ReduceLROnPlateau", "RemoteMonitor",
"TerminateOnNaN", "TensorBoard"
]
