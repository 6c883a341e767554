"""A provider in Python, without an SDK. It greets, counts slowly enough to report progress and to be cancelled, and offers one more tool after that.

How to run it: README.md beside this file. Needs Python 3.8 and the package `websockets`.
"""

import asyncio
import json
import os
from pathlib import Path

import websockets

NAME = "python"
MAX_MESSAGE_BYTES = 2 * 1024 * 1024  # of the gateway; the package's own limit is lower
TOOLS = [
    {
        "name": "python_greet",
        "description": "Greet somebody by name",
        "parameters": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
    },
    {
        "name": "python_count",
        "description": "Count to a number, one step a tenth of a second",
        "parameters": {
            "type": "object",
            "properties": {"to": {"type": "integer", "minimum": 1, "maximum": 100}},
            "required": ["to"],
        },
    },
]
LAST_STOP = {"name": "python_last_stop", "description": "How far the count came that was stopped last", "parameters": {}}


class NoSuchTool(Exception):
    pass


def gateway_url():
    """The variable, else what the running gateway has written down, else its usual port."""
    if os.environ.get("TAP_GATEWAY_URL"):
        return os.environ["TAP_GATEWAY_URL"]
    home = Path(os.environ.get("TAPLINE_HOME") or Path.home() / ".tapline")
    try:
        return json.loads((home / "gateway.lock.json").read_text())["url"]
    except (OSError, ValueError, KeyError):
        return "ws://127.0.0.1:9400"


def provider_token(refused):
    """The variable, else the gateway's file; also the file when the gateway has refused the variable: it may be a new one."""
    token = os.environ.get("TAP_PROVIDER_TOKEN")
    if token and token != refused:
        return token
    home = Path(os.environ.get("COPILOT_HOME") or Path.home() / ".copilot")
    return (home / "extensions" / "tap" / ".provider-token").read_text().strip()


class Provider:
    """One connection to the gateway."""

    def __init__(self, socket, tools):
        self.socket = socket
        self.tools = tools
        self.is_bound = False
        self.is_for_all = True  # not with a token that was issued for one session
        self.labels = {}  # of all sessions that there are, by id
        self.served = set()  # ids of the sessions that have the tools
        self.calls = {}

    async def say(self, **message):
        try:
            await self.socket.send(json.dumps(message))
        except websockets.ConnectionClosed:
            pass  # `run` ends by itself, and nobody waits for an answer any more

    async def run(self, token):
        """Until the connection ends. True: the gateway has refused the token."""
        await self.say(type="auth", token=token)
        try:
            async for frame in self.socket:
                message = json.loads(frame)
                if message["type"] == "error":
                    print(f"{message['code']}: {message['message']}")
                    if message["code"] == "AUTH_FAILED":
                        return True
                    if message["code"] == "UNSUPPORTED_VERSION":
                        raise SystemExit(1)
                    if message.get("replyTo") == "hello":
                        self.is_bound = False  # tried again with the next list of sessions
                await self.heard(message)
        finally:
            for call in self.calls.values():
                call.cancel()
        return False

    async def heard(self, message):
        kind = message["type"]
        if kind in ("sessions", "sessions.updated"):
            self.labels = {session["id"]: session["label"] for session in message["active"]}
            await self.bind()
        elif kind == "hello.ack":
            self.is_for_all = message.get("isForAll", True)
            names = ", ".join(tool["name"] for tool in self.tools)
            print(f"bound as {message['providerId']}: lends {names} to {'all sessions' if self.is_for_all else 'its session'}")
        elif kind == "tool.call":
            # A task of its own, so that calls run side by side and can be cancelled.
            self.calls[message["id"]] = asyncio.create_task(self.answer(message))
        elif kind == "tool.cancel" and message["id"] in self.calls:
            self.calls[message["id"]].cancel()
        elif kind == "session.lifecycle" and message["state"] == "started":
            self.served.add(message["sessionId"])
            print(f"lends its tools to “{self.labels.get(message['sessionId'], message['sessionId'])}”")
        elif kind == "session.lifecycle" and message["state"] == "shutdown.pending":
            self.served.discard(message["sessionId"])
            await self.say(type="shutdown.ready", sessionId=message["sessionId"])
        # Any other type is of a gateway that can do more than this provider uses.

    async def bind(self):
        """To all sessions, also those that begin later."""
        if not self.labels:
            print("waiting for a session: open one in VS Code with Tapline, or run Tapline's examples/owners/node.mjs")
        elif not self.is_bound:
            self.is_bound = True
            await self.say(type="hello", name=NAME, protocolVersion=2, session="all", tools=self.tools)
        elif self.is_for_all:
            for session in self.labels.keys() - self.served:
                await self.say(type="session.ready", sessionId=session)

    async def answer(self, call):
        identity = call["id"]
        try:
            data = await self.do(call)
            await self.say(type="tool.result", id=identity, data=data)
        except asyncio.CancelledError:
            await self.say(type="tool.result", id=identity, error="Cancelled", errorCode="CANCELLED")
        except NoSuchTool as error:
            await self.say(type="tool.result", id=identity, error=str(error), errorCode="NOT_FOUND")
        except Exception as error:  # whatever a tool does wrong is the answer to its call
            await self.say(type="tool.result", id=identity, error=str(error), errorCode="INTERNAL")
        finally:
            self.calls.pop(identity, None)

    async def do(self, call):
        global stopped_at
        tool, args, identity, session = call["tool"], call["args"], call["id"], call["sessionId"]
        if tool == "python_greet":
            return f"Hello, {args['name']}!"
        if tool == "python_last_stop":
            return stopped_at
        if tool != "python_count":
            raise NoSuchTool(f"there is no {tool}")
        for at in range(1, args["to"] + 1):
            try:
                await asyncio.sleep(0.1)
            except asyncio.CancelledError:
                stopped_at = at - 1
                await self.say(type="push", sessionId=session, level="surface", event=f"stopped at {stopped_at} of {args['to']}")
                self.tools[:] = [*TOOLS, LAST_STOP]
                await self.say(type="tools.update", tools=self.tools)
                raise
            await self.say(type="tool.progress", id=identity, message=f"{at} of {args['to']}")
        return {"counted": args["to"]}


async def main():
    tools = list(TOOLS)
    refused = None
    while True:
        try:
            token = provider_token(refused)
            async with websockets.connect(gateway_url(), max_size=MAX_MESSAGE_BYTES) as socket:
                if await Provider(socket, tools).run(token):
                    refused = token
        except (OSError, websockets.WebSocketException) as error:
            print(f"no gateway: {error}")
        await asyncio.sleep(1)


stopped_at = 0
try:
    asyncio.run(main())
except KeyboardInterrupt:
    pass
