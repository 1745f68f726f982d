"""`twinflow serve`: models behind TensorFlow Serving's REST and gRPC interfaces.

a request -> rest | grpc_service -> service (which model, which signature)
          -> batches -> runs (limits, a pool of threads) -> servable (a Session)
a folder  -> folders (its versions) -> loading -> manager (which versions answer)
"""
