"""tf.keras.callbacks: what is done while a model is trained."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.callbacks.base: BaseLogger Callback CallbackList History ProgbarLogger
twinflow.keras.callbacks.base: configure_callbacks
twinflow.keras.callbacks.standard: CSVLogger EarlyStopping LambdaCallback
twinflow.keras.callbacks.standard: LearningRateScheduler ModelCheckpoint
twinflow.keras.callbacks.standard: ReduceLROnPlateau RemoteMonitor TerminateOnNaN
twinflow.keras.callbacks.tensorboard: TensorBoard
""",
)
