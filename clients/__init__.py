"""What a bot author uses: the Python client, the shipped bots and the stdio bridge.

from clients import run

def choose(request):
    return request.default

run(choose, name="mine", connect="127.0.0.1:7171")
"""

from clients.answering import WireRequest
from clients.client import Client, Settings, run
from clients.connection import Refused, Unreachable

__all__ = ["Client", "Refused", "Settings", "Unreachable", "WireRequest", "run"]
