"""The plain programs that benchmarks.serving compares with: KIND FOLDER PORT.

Each calls the same function of the same SavedModel, with nothing around it.
"""

import asyncio
import json
import sys
from concurrent import futures

import fastapi
import grpc
import numpy as np
import orjson
import pydantic
import uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import twinflow as tf
from twinflow.formats.serving_protos import serving

METHOD, PATH = "tensorflow.serving.PredictionService", "/v1/models/m:predict"


def loaded(folder):
    """A function of rows, as the guide of sessions has it."""
    sess = tf.Session()
    meta = tf.saved_model.loader.load(sess, ["serve"], folder)
    signature = meta.signature_def["serving_default"]
    x, y = signature.inputs["x"].name, signature.outputs["y"].name
    return lambda rows: sess.run(y, {x: rows})


class Rows(pydantic.BaseModel):
    """What a request says."""

    instances: list[list[float]]


def fast_api(function, port):
    """As FastAPI's tutorial has it: a model of the request, a dict as the answer."""
    app = fastapi.FastAPI()

    @app.post(PATH)
    def answer(given: Rows):
        rows = np.array(given.instances, np.float32)
        return {"predictions": function(rows).tolist()}

    uvicorn.run(app, port=port, log_level="warning")


def starlette(function, port):
    """JSON of Python's own."""

    async def answer(request):
        rows = np.array(json.loads(await request.body())["instances"], np.float32)
        return JSONResponse({"predictions": function(rows).tolist()})

    _run(answer, port)


def starlette_orjson(function, port):
    """JSON of orjson, which writes arrays as they are."""

    async def answer(request):
        rows = np.array(orjson.loads(await request.body())["instances"], np.float32)
        body = {"predictions": function(rows)}
        text = orjson.dumps(body, option=orjson.OPT_SERIALIZE_NUMPY)
        return Response(text, media_type="application/json")

    _run(answer, port)


def _run(answer, port):
    app = Starlette(routes=[Route(PATH, answer, methods=["POST"])])
    uvicorn.run(app, port=port, log_level="warning")


def _predicted(function, request):
    response = serving["PredictResponse"]()
    y = function(tf.make_ndarray(request.inputs["x"]))
    response.outputs["y"].CopyFrom(tf.make_tensor_proto(y))
    return response


def _handler(predict):
    method = grpc.unary_unary_rpc_method_handler(
        predict,
        request_deserializer=serving["PredictRequest"].FromString,
        response_serializer=serving["PredictResponse"].SerializeToString,
    )
    return grpc.method_handlers_generic_handler(METHOD, {"Predict": method})


def grpcio(function, port):
    """Threads, as grpcio's tutorial has it."""
    server = grpc.server(futures.ThreadPoolExecutor(10))
    predict = _handler(lambda request, context: _predicted(function, request))
    server.add_generic_rpc_handlers([predict])
    server.add_insecure_port(f"127.0.0.1:{port}")
    server.start()
    server.wait_for_termination()


def grpc_aio(function, port):
    """An event loop."""

    async def predict(request, context):
        return _predicted(function, request)

    async def main():
        server = grpc.aio.server()
        server.add_generic_rpc_handlers([_handler(predict)])
        server.add_insecure_port(f"127.0.0.1:{port}")
        await server.start()
        await server.wait_for_termination()

    asyncio.run(main())


KINDS = {
    "fastapi": fast_api, "starlette": starlette, "orjson": starlette_orjson,
    "grpcio": grpcio, "grpc.aio": grpc_aio,
}  # fmt: skip

if __name__ == "__main__":
    KINDS[sys.argv[1]](loaded(sys.argv[2]), int(sys.argv[3]))
