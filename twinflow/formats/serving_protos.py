"""The messages of TensorFlow Serving and of gRPC's health checks.

`serving` holds those of the package tensorflow.serving, `health` those of
grpc.health.v1; formats.proto_schema says how messages are made.
"""

from pathlib import Path

from twinflow.formats.proto_schema import messages, tensorflow

_HEALTH = """
HealthCheckRequest: service=1 string
HealthCheckResponse: status=1 HealthCheckResponse.ServingStatus
enum HealthCheckResponse.ServingStatus: UNKNOWN=0, SERVING=1, NOT_SERVING=2,
  SERVICE_UNKNOWN=3
"""

serving = messages(
    Path(__file__).with_name("serving_protos.txt").read_text(encoding="ascii"),
    "tensorflow.serving",
    tensorflow,
)
health = messages(_HEALTH, "grpc.health.v1")
