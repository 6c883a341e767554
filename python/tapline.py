"""Tapline's provider SDK for Python, in one file: it lends the tools of a program to agent sessions through the gateway.

    from tapline import Provider

    provider = Provider("dice")

    @provider.tool(description="Rolls a die")
    def dice_roll(sides: int = 6) -> int:
        return random.randint(1, sides)

    provider.run()

Needs Python 3.9 or later and the package `websockets`, 10 to 15. More is in docs/provider-sdk.md.
"""

from __future__ import annotations

import asyncio
import base64
import contextvars
import copy
import hashlib
import hmac
import inspect
import json as _json
import os
import random
import re
import secrets
import signal
import sys
import threading
import time
import types
import typing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Coroutine, Iterable, Literal, Mapping, Sequence, TypeVar, Union
from urllib.parse import quote

import websockets

__all__ = [
    "ConsentError", "Context", "Decision", "FileResult", "GatewayError", "Part", "Provider", "Session", "Tool", "ToolError", "UserAnswer",
    "file", "image", "json", "text", "tool",
]  # fmt: skip

PROTOCOL_VERSION = 2
DEFAULT_URL = "ws://127.0.0.1:9400"
MB = 1024 * 1024
RESULT_BYTES = 5 * MB
MESSAGE_BYTES = 2 * MB

OPEN_SECONDS = 5
ANSWER_SECONDS = 10
FINISH_SECONDS = 2
FIRST_RETRY_SECONDS = 0.5
LONGEST_RETRY_SECONDS = 10.0
# A gateway that was killed is started again by those who own its sessions, on a busy machine within several seconds.
SOON_TRIES = 40
SOON_SECONDS = 0.5
# What the interface asks for after RATE_LIMITED.
AGAIN_SECONDS = 1.0
UPDATE_TRIES = 4
PAIRING_TRIES = 3
# Refusals of a hello that may pass. After any other the provider waits for a change of the sessions or of what it registers.
PASSING = {"RATE_LIMITED", "TOOL_CONFLICT", "DUPLICATE_INSTANCE"}
ABNORMAL = 1006
CUT_OFF = {4002, 4004, 4005}
GONE = "the connection to the gateway has ended"

MAX_ERROR_LENGTH = 10_000
MAX_CODE_LENGTH = 200
MAX_PRINTED_LENGTH = 1_000

F = TypeVar("F", bound=Callable[..., Any])
Json = dict[str, Any]
State = Literal["connecting", "pairing", "waiting for a session", "bound", "disconnected", "closed"]
Event = Literal["state", "error", "token", "pairing", "sessions", "new_session", "shutdown", "lifecycle", "session_event"]


# --- Errors


class ToolError(Exception):
    """Raise it to fail with a code. Any other exception counts as INTERNAL.

    A code of your own reaches the caller beside INTERNAL. With `retryable` the same call may succeed: another instance of the provider is
    tried, or later.
    """

    def __init__(self, code: str, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.retryable = retryable


class GatewayError(Exception):
    """A refusal by the gateway, with the code of its `error` message."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class ConsentError(Exception):
    """What the provider registers, but for its tools, waits for the user's consent, or was denied."""

    def __init__(self, decision: str, wants: Sequence[str]) -> None:
        what = " and ".join(wants)
        super().__init__(
            f"the user has denied {what}, which are not in force; they can decide anew in Tapline’s view Tools & Jobs"
            if decision == "denied"
            else f"{what} wait for the user’s consent and are not in force: Tapline asks in VS Code, also in its view Tools & Jobs"
        )
        self.decision = decision
        self.wants = tuple(wants)


class UnprovenListener(Exception):
    """What listens there is not the gateway that has the token."""


# --- Results


@dataclass(frozen=True)
class Part:
    """Made by `text`, `image`, `json` and `file`."""

    block: Json
    value: Any = None
    is_json: bool = False


@dataclass(frozen=True)
class FileResult:
    """Return it for a result that is larger than 5 MB: a file in `provider.persist_dir`. `ttl`: seconds."""

    path: Union[str, os.PathLike[str]]
    mime_type: str
    ttl: float = 60


def text(value: str, annotations: Json | None = None) -> Part:
    """`annotations`: for whom it is, and how much it matters, as in MCP."""
    return Part({"type": "text", "text": value, **_given(annotations=annotations)})


def image(data: bytes | str, mime_type: str = "image/png", annotations: Json | None = None) -> Part:
    """`data`: bytes, base64, or a data URL, whose type then counts."""
    url = re.fullmatch(r"data:([^;,]+);base64,(.*)", data, re.DOTALL) if isinstance(data, str) else None
    mime_type, data = url.groups() if url else (mime_type, data)
    encoded = data if isinstance(data, str) else _base64(data)
    return Part({"type": "image", "mimeType": mime_type, "data": encoded, **_given(annotations=annotations)})


def json(value: Any) -> Part:
    """Alone it is the result as it is. Beside other parts it is text, and the only object among them is also the structured content."""
    return Part({"type": "text", "text": _dumps(value, indent=2)}, value, True)


def file(content: bytes | str, name: str, mime_type: str | None = None, annotations: Json | None = None) -> Part:
    """A file whose content goes along; a string is text. The whole result may have 5 MB, for which bytes count four thirds."""
    body = {"text": content} if isinstance(content, str) else {"blob": _base64(content)}
    resource = {"uri": f"file:///{quote(name, safe='')}", **_given(mimeType=mime_type), **body}
    return Part({"type": "resource", "resource": resource, **_given(annotations=annotations)})


def _result_of(answer: Any) -> Any:
    """The JSON of a result. In a list with at least one part, a string is text and anything else is `json`."""
    answers = answer if isinstance(answer, (list, tuple)) else [answer]
    if not any(isinstance(one, Part) for one in answers):
        return answer
    parts = [one if isinstance(one, Part) else text(one) if isinstance(one, str) else json(one) for one in answers]
    first = parts[0]
    if len(parts) == 1:
        # The gateway would take these for an image or for parts.
        has_meaning = isinstance(first.value, dict) and bool({"image", "content"} & first.value.keys())
        if first.is_json and not has_meaning:
            return first.value
        if not first.is_json and first.block["type"] == "text" and "annotations" not in first.block:
            return first.block["text"]
    structured = [part.value for part in parts if isinstance(part.value, dict)]
    content: Json = {"content": [part.block for part in parts]}
    return {**content, "structuredContent": structured[0]} if len(structured) == 1 else content


# --- Tools


@dataclass(frozen=True)
class UserAnswer:
    """`action`: `accept`, `decline` (also where nobody can be asked) or `cancel`. `content`: of a form that was accepted."""

    action: str
    content: Json | None = None


class Context:
    """One call of a tool, for a parameter of the tool that is annotated with this class."""

    def __init__(self, link: _Link, call: Json) -> None:
        self.session_id: str = call["sessionId"]
        self.tool: str = call["tool"]
        self.cancelled = threading.Event()
        """Set when the call was cancelled, has timed out, or the connection was lost. Async tools get `asyncio.CancelledError` too."""
        metadata = call.get("metadata")
        traceparent = metadata.get("traceparent") if isinstance(metadata, dict) else None
        self.traceparent: str | None = traceparent if isinstance(traceparent, str) else None
        """W3C Trace Context of the call, where the gateway makes traces: the parent of a span of the provider's own."""
        self._link = link
        self._id: str = call["id"]

    def progress(self, message: str) -> None:
        """Reports progress, which is shown while the call runs. From any thread."""
        if self._id not in self._link.calls or self.cancelled.is_set():
            return
        try:
            self._link.say({"type": "tool.progress", "id": self._id, "message": message})
        except Exception as error:
            self._link.report(error)

    async def ask(self, message: str, *, schema: Json | None = None, url: str | None = None) -> UserAnswer:
        """Asks the user of the session, with a form (`schema`: JSON Schema of its fields) or for a page to open. In async tools."""
        question = {"message": message, "url": url} if url is not None else {"message": message, "requestedSchema": schema}
        answer = await self._link.question(self._id, question)
        return UserAnswer(str(answer.get("action")), answer.get("content"))


@dataclass(frozen=True)
class Tool:
    """A function together with what the gateway is told about it. Made by `tool`."""

    told: Json
    run: Callable[..., Any]
    context: str | None = None
    """Name of the parameter that gets the `Context`."""

    @property
    def name(self) -> str:
        return str(self.told["name"])


def tool(
    description: str | None = None, *, name: str | None = None, parameters: Json | None = None, **more: Any
) -> Callable[[Callable[..., Any]], Tool]:
    """Makes a tool of a function, which gets the arguments by name.

    `description`: default the docstring. `parameters`: JSON Schema; default what the type hints say. `more`: further fields, such as
    `timeout` (milliseconds), `title`, `annotations` and `outputSchema`.
    """

    def made(run: Callable[..., Any]) -> Tool:
        called = name or run.__name__
        said = description or inspect.getdoc(run)
        context, derived = _signature(called, run, parameters is None)
        told = {"name": called, **_given(description=said), "parameters": derived if parameters is None else parameters, **more}
        return Tool(told, run, context)

    return made


def _signature(name: str, run: Callable[..., Any], derive: bool) -> tuple[str | None, Json]:
    """The parameter that gets the context, and the JSON Schema of the others."""
    try:
        hints = typing.get_type_hints(run, include_extras=True)
    except Exception as error:
        raise TypeError(f"tool {name!r}: its type hints cannot be read: {error}") from error
    context: str | None = None
    properties: Json = {}
    required: list[str] = []
    is_open = False
    for parameter in inspect.signature(run).parameters.values():
        hint = hints.get(parameter.name, Any)
        if hint is Context:
            context = parameter.name
        elif parameter.kind is parameter.VAR_KEYWORD:
            is_open = True
        elif parameter.kind in (parameter.VAR_POSITIONAL, parameter.POSITIONAL_ONLY):
            raise TypeError(f"tool {name!r}: it gets its arguments by name, which {parameter.name!r} does not allow")
        elif derive:
            try:
                schema = _schema_of(hint)
            except TypeError as error:
                advice = "Give the JSON Schema of its arguments as `parameters`."
                raise TypeError(f"tool {name!r}: {parameter.name}: {error}. {advice}") from None
            if parameter.default is parameter.empty:
                required.append(parameter.name)
            elif isinstance(parameter.default, (str, int, float, bool)):
                schema = {**schema, "default": parameter.default}
            properties[parameter.name] = schema
    return context, {"type": "object", "properties": properties, "required": required, "additionalProperties": is_open}


_PLAIN: dict[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
_PLAIN[type(None)] = "null"


def _schema_of(hint: Any) -> Json:
    """JSON Schema of a type hint. In `Annotated`, a string is the description and a dictionary more of the schema."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return {}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if origin is typing.Annotated:
        schema = _schema_of(arguments[0])
        for more in arguments[1:]:
            schema = {**schema, **({"description": more} if isinstance(more, str) else more if isinstance(more, dict) else {})}
        return schema
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is Union or origin is getattr(types, "UnionType", Union):
        return {"anyOf": [_schema_of(one) for one in arguments]}
    if origin is list:
        return {"type": "array", "items": _schema_of(arguments[0])}
    if origin is dict and arguments[0] is str:
        return {"type": "object", "additionalProperties": _schema_of(arguments[1])}
    if isinstance(hint, type) and issubclass(hint, dict) and hasattr(hint, "__required_keys__"):
        fields = {key: _schema_of(value) for key, value in typing.get_type_hints(hint, include_extras=True).items()}
        return {"type": "object", "properties": fields, "required": sorted(hint.__required_keys__), "additionalProperties": False}
    raise TypeError(f"{hint!r} has no JSON Schema here")


# --- Sessions and hooks


@dataclass(frozen=True)
class Session:
    id: str
    label: str
    cwd: str | None = None


@dataclass(frozen=True)
class Decision:
    """Answers a gate: `allow`, `deny`, or `context`, which allows and adds `reason` to what the model reads."""

    decision: Literal["allow", "deny", "context"]
    reason: str | None = None


@dataclass
class _Registration:
    """What is repeated for every new connection."""

    hello: Json
    tools: dict[str, Tool] = field(default_factory=dict)
    filters: dict[str | None, list[Json]] = field(default_factory=dict)

    def as_hello(self) -> Json:
        return {**self.hello, "tools": [tool.told for tool in self.tools.values()]}


# --- The connection

# The fields of each message that are used. Others of the gateway's messages are of a newer one and are ignored.
_SHAPES: dict[str, dict[str, Any]] = {
    "auth.pairing": {"prompt": str},
    "sessions": {"active": list},
    "sessions.updated": {"active": list},
    "hello.ack": {"providerId": str},
    "consent.updated": {"decision": str, "wants": list},
    "ack": {"requestId": str},
    "error": {"code": str, "message": str},
    "tool.call": {"id": str, "sessionId": str, "tool": str, "args": dict},
    "tool.cancel": {"id": str},
    "tool.answer": {"askId": str, "action": str},
    "gate.check": {"gateId": str, "callId": str, "sessionId": str, "tool": str},
    "transform.request": {"callId": str, "section": str, "current": str},
    "session.event": {"sessionId": str, "event": str, "data": dict},
    "session.lifecycle": {"sessionId": str, "state": str},
    "stream.history": {"queryId": str, "streams": dict},
}


def _message_of(frame: str | bytes) -> Json | None:
    """None for a type that is not known. Raises ValueError."""
    try:
        message = _json.loads(frame)
    except RecursionError:
        raise ValueError("a message of the gateway is nested too deeply") from None
    if not isinstance(message, dict):
        raise ValueError("a message of the gateway is no object")
    shape = _SHAPES.get(str(message.get("type")))
    if shape is None:
        return None
    for key, kind in shape.items():
        if not isinstance(message.get(key), kind):
            raise ValueError(f"a message of the gateway: {key} is missing or wrong")
    return message


def _sessions_of(message: Json) -> list[Session]:
    fits = [one for one in message["active"] if isinstance(one, dict) and isinstance(one.get("id"), str)]
    return [Session(one["id"], str(one.get("label", one["id"])), one.get("cwd")) for one in fits]


class _Link:
    """One connection: messages in the order in which they are said, the calls that run, and the requests that wait for an answer."""

    def __init__(self, socket: Any, token: str | None, report: Callable[[Exception], None]) -> None:
        self.token = token
        self.calls: dict[str, tuple[asyncio.Task[None], Context]] = {}
        self._socket = socket
        self.report = report
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._out: asyncio.Queue[str | None] = asyncio.Queue()
        self._writer = self._loop.create_task(self._write())
        self._waiting: dict[str, tuple[str, asyncio.Future[Json]]] = {}
        self._asked = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self.is_open = True

    def say(self, message: Json) -> None:
        """From any thread; dropped when the connection has ended. Raises for a message that is too large or not JSON."""
        told = {key: value for key, value in message.items() if value is not None or key in ("data", "context")}
        encoded = _dumps(told).encode("utf-8", "replace")  # half a character, as a file name may have, is no UTF-8
        limit = RESULT_BYTES if message["type"] == "tool.result" else MESSAGE_BYTES
        if len(encoded) > limit:
            raise GatewayError("PAYLOAD_TOO_LARGE", f"a {message['type']} may have at most {limit} bytes")
        if threading.get_ident() == self._thread:
            self._out.put_nowait(encoded.decode())
        else:
            self._loop.call_soon_threadsafe(self._out.put_nowait, encoded.decode())

    async def request(self, message: Json, key: str = "requestId") -> Json:
        """Sends a request with an id and returns the gateway's answer to it."""
        identity = f"r-{self._next()}"
        return await self._wait_for(identity, {**message, key: identity}, ANSWER_SECONDS)

    async def question(self, call: str, question: Json) -> Json:
        ask = str(self._next())
        return await self._wait_for(f"ask {ask}", {"type": "tool.ask", "id": call, "askId": ask, "question": question}, None)

    def settles(self, message: Json) -> bool:
        """True when the message answers a request of ours."""
        kind = message["type"]
        if kind == "error":
            # An `error` for a query has no id. Queries are answered in order, so it is the oldest.
            query = next((one for one, (asked, _) in self._waiting.items() if asked == "stream.query" == message.get("replyTo")), None)
            _, waiting = self._waiting.get(str(message.get("requestId") or query), (None, None))
            if waiting and not waiting.done():
                waiting.set_exception(GatewayError(message["code"], message["message"]))
            return waiting is not None
        if kind not in ("ack", "stream.history", "tool.answer"):
            return False
        identity = f"ask {message['askId']}" if kind == "tool.answer" else message["requestId" if kind == "ack" else "queryId"]
        _, waiting = self._waiting.get(identity, (None, None))
        if waiting and not waiting.done():
            waiting.set_result(message)
        return True

    def expect(self, what: str) -> None:
        """Starts a deadline. A gateway that does not do `what` in time is disconnected."""
        self.came()
        self._deadline = self._loop.call_later(ANSWER_SECONDS, self._give_up, what)

    def came(self) -> None:
        if self._deadline:
            self._deadline.cancel()

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def finish(self) -> None:
        """Sends what was said and closes. Whatever runs for this connection is cancelled."""
        self.is_open = False
        self.came()
        for _, context in self.calls.values():
            context.cancelled.set()
        self.calls.clear()
        for task in list(self._tasks):
            task.cancel()
        for _, waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(ConnectionError(GONE))
        self._out.put_nowait(None)
        await asyncio.wait([self._writer], timeout=FINISH_SECONDS)
        if not self._writer.done():  # the gateway does not read
            self._writer.cancel()
            self._socket.transport.abort()

    async def _wait_for(self, identity: str, message: Json, seconds: float | None) -> Json:
        if not self.is_open:
            raise ConnectionError(GONE)
        self.say(message)
        waiting: asyncio.Future[Json] = self._loop.create_future()
        self._waiting[identity] = (message["type"], waiting)
        try:
            return await asyncio.wait_for(waiting, seconds)
        except asyncio.TimeoutError:
            raise TimeoutError(f"the answer to {message['type']} has not come within {ANSWER_SECONDS} s") from None
        finally:
            del self._waiting[identity]

    async def _write(self) -> None:
        try:
            while (message := await self._out.get()) is not None:
                await self._socket.send(message)
        except websockets.ConnectionClosed:
            pass  # the reader hears of it
        await self._socket.close()

    def _give_up(self, what: str) -> None:
        self.report(TimeoutError(f"{what} has not come within {ANSWER_SECONDS} s"))
        self._out.put_nowait(None)

    def _next(self) -> int:
        self._asked += 1
        return self._asked


# --- The provider


class Provider:
    """Lends tools to agent sessions. It connects again whenever the connection is lost, and registers everything again, until `close()`.

    `url`: default `TAP_GATEWAY_URL`, else the running gateway's, else port 9400. `token`: default `TAP_PROVIDER_TOKEN`, else the gateway's
    token file, which is read for each attempt. These two are sent only to a gateway that has proved that it knows them; a `token` that is
    given here is sent to whatever listens on the URL. Where there is none, the user is asked to pair, if there is an `on("pairing")`.
    `session`: `all`, one session's id, or a function that gets the list of them and returns an id; the provider waits while it returns
    None. Default: all that the token may use; a paired provider may use one. `hooks`, `context`, `startup_context`, `subscribe`, `concurrency`, `instance` and `metadata` are those of the interface. `log` gets what is printed.
    """

    def __init__(
        self,
        name: str,
        *,
        url: str | None = None,
        token: str | None = None,
        session: str | Callable[[list[Session]], str | None] | None = None,
        instance: str | None = None,
        metadata: Json | None = None,
        context: str | None = None,
        startup_context: str | None = None,
        hooks: Json | None = None,
        subscribe: Sequence[str] | None = None,
        concurrency: Json | None = None,
        log: Callable[[str], None] | None = None,
    ) -> None:
        self.name = name
        self.state: State = "connecting"
        self.provider_id: str | None = None
        self.session_id: str | None = None
        """Where exactly one session was joined."""
        self.persist_dir: str | None = None
        self.consent: Json | None = None
        """`decision` and `wants`; None where nothing needs the user's consent. What it `wants` is in force only when it is `allowed`."""
        self._url, self._token, self._session = url, token, session
        self._log = log or _print
        told: Json = {"instance": instance, "metadata": metadata, "context": context, "startup_context": startup_context}
        told.update(hooks=copy.deepcopy(hooks), subscribe=None if subscribe is None else list(subscribe), concurrency=concurrency)
        self._registration = _Registration({key: value for key, value in told.items() if value is not None})
        self._handlers: dict[str, Callable[..., Any]] = {}
        self._gates: dict[str, Callable[..., Any]] = {}
        self._transforms: dict[str, Callable[..., Any]] = {}

        self._work_task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._link: _Link | None = None
        self._retry: asyncio.TimerHandle | None = None
        self._failures = 0
        self._soon = 0
        self._bound_at = float("inf")
        self._refusals = 0
        self._last_trouble = ""
        # The token that was refused last, and the one for which the last listener had no proof.
        self._refused_token: str | None = None
        self._unproven_token: str | None = None
        self._paired_token: str | None = None
        # The code was not typed yet, or was sent.
        self._pairing: Literal["asked", "answered"] | None = None
        # Since the last pairing. After a wrong code the gateway asks again on another connection.
        self._codes_typed = 0
        self._reconnect_token: str | None = None
        self._sessions: list[Session] = []
        self._last_session: str | None = None
        # A token that is for one session at a time.
        self._token_for_one: str | None = None
        # The token is for the session that has started it.
        self._joins_no_other = False
        # Sessions in which the tools are offered, or will be when they are ready.
        self._ready: set[str] = set()
        # What the hello registers that is not answered yet, and for which session.
        self._asked: tuple[_Registration, str] | None = None
        # What an update asks for, while it is not answered: calls may come before the answer was read.
        self._wanted: _Registration | None = None

    # What it lends

    def tool(
        self, description: str | None = None, *, name: str | None = None, parameters: Json | None = None, **more: Any
    ) -> Callable[[F], F]:
        """Lends a function, sync or async, as a tool. The options are those of `tool`. Later changes: `update_tools`."""

        self._check_not_running()

        def lent(run: F) -> F:
            one = tool(description, name=name, parameters=parameters, **more)(run)
            if one.name in self._registration.tools:
                raise ValueError(f"there are two tools {one.name!r}")
            self._registration.tools[one.name] = one
            return run

        if callable(description):
            raise TypeError("write @provider.tool() with its parentheses")
        return lent

    def gate(
        self,
        *,
        tool: str | None = None,
        args: str | None = None,
        provider: str | None = None,
        file: str | None = None,
        fail_open: bool = False,
    ) -> Callable[[F], F]:
        """Asks the function about each call that fits, with the `gate.check`. It returns a `Decision`; an exception denies."""

        def asked(check: F) -> F:
            gate_id = f"gate-{len(self._gates) + 1}"
            self._gates[gate_id] = check
            match = _given(tool=tool, args=args, provider=provider, file=file)
            rules = self._hooks().setdefault("onPreToolUse", [])
            rules.append({"action": "gate", "gateId": gate_id, "match": match, "failOpen": fail_open})
            return check

        return asked

    def transform(self, section: str) -> Callable[[F], F]:
        """Has the function write a section of the prompt: it gets the current text and returns the new one."""

        def written(write: F) -> F:
            self._transforms[section] = write
            self._hooks().setdefault("transforms", {})[section] = {"action": "callback"}
            return write

        return written

    def on(self, event: Event) -> Callable[[F], F]:
        """Calls the function at an event. It may be async but for the first three, which are called at once.

        `state` (state), `error` (exception; default: it is printed), `token` (a token of a pairing, for the next start; None: it is no
        longer valid), `pairing` (prompt; returns the code that the user has typed, None closes the provider), `sessions` (list of Session), `new_session` (Session; awaited before
        it gets the tools), `shutdown` (session id, milliseconds; awaited before the session ends), `lifecycle` (session id, state) and
        `session_event` (the message, of those in `subscribe`).
        """

        def heard(handler: F) -> F:
            self._handlers[event] = handler
            return handler

        return heard

    # While it runs

    def run(self) -> None:
        """Lends the tools until Ctrl+C, SIGTERM or `close()`."""
        try:
            asyncio.run(self._run())
        except KeyboardInterrupt:
            pass  # where there are no signal handlers; it has said goodbye

    async def serve(self) -> None:
        """Lends the tools until `close()` is called, or the task is cancelled."""
        self._loop = asyncio.get_running_loop()
        self._updates = asyncio.Lock()
        self._work_task = self._loop.create_task(self._work())
        try:
            await self._work_task
        except asyncio.CancelledError:
            if self.state != "closed":
                raise
        finally:
            if self._retry:
                self._retry.cancel()
            self._set_state("closed")

    def close(self) -> None:
        """Says goodbye and does not connect again. From any thread."""
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._close)

    def push(
        self,
        event: str | None = None,
        *,
        level: Literal["inject", "surface", "keep"] = "surface",
        prompt: str | None = None,
        session_id: str | None = None,
        stream: str | None = None,
        metadata: Json | None = None,
    ) -> None:
        """Dropped, with a report, while not bound. Without `session_id` it goes to every session; but an `inject` or a `prompt`, which
        begins a turn, is refused where there are several. From any thread."""
        try:
            if self.state != "bound" or not self._link:
                raise ConnectionError("a push was dropped: there is no session")
            is_for_each = session_id is None and level != "inject" and prompt is None and self._is_for_all()
            told = _given(event=event, prompt=prompt, sessionId=session_id, stream=stream, metadata=metadata)
            self._link.say({"type": "push", "level": level, **({"broadcast": True} if is_for_each else {}), **told})
        except Exception as error:
            self._report(error)

    async def update_tools(self, tools: Iterable[Tool] = (), remove: Iterable[str] | None = None) -> None:
        """Replaces all tools; with `remove`, even empty, it adds and removes. This and the other updates return when they are in force, and
        are repeated for every later connection. While there is no session they are only remembered. They raise a `GatewayError`, or a
        ConnectionError when the connection ends before an answer, and are then forgotten."""
        new, gone = {one.name: one for one in tools}, None if remove is None else list(remove)

        def change(was: _Registration) -> _Registration:
            kept = {} if gone is None else {name: one for name, one in was.tools.items() if name not in gone and name not in new}
            return _Registration(was.hello, {**kept, **new}, was.filters)

        await self._update({"type": "tools.update", "tools": [one.told for one in new.values()], "remove": gone}, change)

    async def update_hooks(self, rules: list[Json] | None = None, transforms: Mapping[str, Json | None] | None = None) -> None:
        """`rules` replaces all rules. Of `transforms`, the named sections are set, or removed by None."""

        def change(was: _Registration) -> _Registration:
            hooks = was.hello.get("hooks", {})
            merged = {**hooks.get("transforms", {}), **(transforms or {})}
            left = {section: one for section, one in merged.items() if one is not None}
            kept = {"onPreToolUse": hooks.get("onPreToolUse", []) if rules is None else rules, "transforms": left}
            return _Registration({**was.hello, "hooks": kept}, was.tools, was.filters)

        await self._update({"type": "hooks.update", "onPreToolUse": rules, "transforms": transforms and dict(transforms)}, change)

    async def update_context(self, context: str | None) -> None:
        def change(was: _Registration) -> _Registration:
            others = {key: value for key, value in was.hello.items() if key != "context"}
            return _Registration({**others, **_given(context=context)}, was.tools, was.filters)

        await self._update({"type": "context.update", "context": context}, change)

    async def set_filter(self, rules: list[Json], stream: str | None = None) -> None:
        """`rules`: objects with `match` and `outcome`. An empty list removes the filter. `stream`: default the provider's name."""

        def change(was: _Registration) -> _Registration:
            others = {key: value for key, value in was.filters.items() if key != stream}
            return _Registration(was.hello, was.tools, {**others, stream: rules} if rules else others)

        await self._update({"type": "filter.set", "rules": rules, "stream": stream}, change)

    async def query_streams(
        self, streams: Sequence[str], *, last: int | None = None, session_id: str | None = None
    ) -> dict[str, list[Json]]:
        """Keyed by `stream@provider`. A provider for all sessions must name a session."""
        if not self._link or self.state != "bound":
            raise ConnectionError("there is no session")
        query = {"type": "stream.query", "streams": list(streams), "last": last, "sessionId": session_id}
        history = await self._link.request(query, "queryId")
        return typing.cast("dict[str, list[Json]]", history["streams"])

    # Connections

    async def _run(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            try:
                asyncio.get_running_loop().add_signal_handler(number, self._close)
            except (NotImplementedError, RuntimeError, ValueError):
                pass  # Windows, or not the main thread
        await self.serve()

    def _close(self) -> None:
        if self._work_task and not self._is_closed():
            self._set_state("closed")
            self._work_task.cancel()

    def _is_closed(self) -> bool:
        return self.state == "closed"

    async def _work(self) -> None:
        while True:
            self._set_state("connecting")
            code = await self._attempt()
            self._lost(code)
            self._failures += 1
            longest = SOON_SECONDS if self._soon > 0 else LONGEST_RETRY_SECONDS
            self._soon -= 1
            await asyncio.sleep(_backoff(self._failures, FIRST_RETRY_SECONDS, longest))

    async def _attempt(self) -> int | None:
        """One connection, from its opening to its end. The code of its end, if it was open."""
        try:
            url = self._url or os.environ.get("TAP_GATEWAY_URL") or _running_gateway() or DEFAULT_URL
            is_given = bool(self._token) and not (self._token == self._refused_token and self._can_pair())
            found = None if is_given else _find_token((self._refused_token, self._unproven_token), is_needed=not self._can_pair())
            token = self._token if is_given else found or self._paired_token
            socket = await _open(url, found)
        except UnprovenListener as error:
            self._unproven_token = found
            self._report(error)
            return None
        except Exception as error:
            is_told = isinstance(error, FileNotFoundError)
            self._report(error if is_told else ConnectionError(f"the connection to the gateway failed: {error}"))
            return None
        link = self._link = _Link(socket, token, self._report)
        try:
            link.expect("an answer of the gateway to `auth`")
            link.say({"type": "auth", "token": token} if token else {"type": "auth", "mode": "pair"})
            while True:
                self._receive(await socket.recv(), link)
        except websockets.ConnectionClosed:
            code: int = socket.close_code
            if code in CUT_OFF:
                self._report(ConnectionError(f"the gateway has closed the connection ({code}): {socket.close_reason}"))
            return code
        finally:
            if self._bound_at < float("inf"):
                link.say({"type": "goodbye"})
            self._link = None
            await link.finish()

    def _can_pair(self) -> bool:
        return "pairing" in self._handlers

    def _lost(self, code: int | None) -> None:
        self._asked = None
        self._pairing = None
        self._sessions = []
        if self.state == "bound" and code == ABNORMAL:
            self._soon = SOON_TRIES
        self._set_state("disconnected")
        # One that was cut off at once for what it does would do it again.
        if time.monotonic() - self._bound_at >= LONGEST_RETRY_SECONDS:
            self._failures = 0
        self._bound_at = float("inf")

    def _receive(self, frame: str | bytes, link: _Link) -> None:
        try:
            message = _message_of(frame)
            if message and not link.settles(message):
                self._heard(message, link)
        except Exception as error:
            self._report(error)

    def _heard(self, message: Json, link: _Link) -> None:
        kind = message["type"]
        if kind == "auth.pairing":
            link.came()
            self._set_state("pairing")
            link.spawn(self._pair(message["prompt"], link))
        elif kind in ("sessions", "sessions.updated"):
            self._sessions_changed(message, link)
        elif kind == "hello.ack":
            self._bound(message, link)
        elif kind == "consent.updated":
            self.consent = {"decision": message["decision"], "wants": message["wants"]}
            self._report_consent()
        elif kind == "error":
            self._refused(message, link)
        elif kind == "tool.call":
            context = Context(link, message)
            link.calls[message["id"]] = (link.spawn(self._call(message, context, link)), context)
        elif kind == "tool.cancel":
            self._cancel(message["id"], link)
        elif kind == "gate.check":
            link.spawn(self._gate(message, link))
        elif kind == "transform.request":
            link.spawn(self._transform(message, link))
        elif kind == "session.event":
            link.spawn(self._own("session_event", message))
        elif message["state"] == "shutdown.pending":
            link.spawn(self._shutdown(message, link))
        else:
            if message["state"] == "started":
                self._print(f"lends its tools to “{self._label_of(message['sessionId'])}”")
            link.spawn(self._own("lifecycle", message["sessionId"], message["state"]))

    async def _pair(self, prompt: str, link: _Link) -> None:
        self._pairing = "asked"
        code = await self._own("pairing", prompt)
        if code is None:
            return self._close()
        self._pairing = "answered"
        self._codes_typed += 1
        link.say({"type": "auth.confirm", "code": str(code)})
        link.expect("the answer of the gateway to the pairing code")

    def _paired(self, token: str, link: _Link) -> None:
        link.token = self._paired_token = self._token_for_one = token
        self._at_once("token", token)

    # Sessions

    def _sessions_changed(self, message: Json, link: _Link) -> None:
        self._set_sessions(_sessions_of(message), link)
        if message["type"] == "sessions":
            link.came()
            if isinstance(token := message.get("token"), str):
                self._paired(token, link)
            self._pairing = None
            self._codes_typed = 0
            if not self._asked:
                self._wait_for_session()
        if self.state != "bound":
            return self._hello()
        if not self._is_for_all() or self._joins_no_other:
            return
        self._ready &= {session.id for session in self._sessions}
        for session in self._sessions:
            if session.id not in self._ready:
                self._ready.add(session.id)
                link.spawn(self._new_session(session, link))

    def _set_sessions(self, sessions: list[Session], link: _Link) -> None:
        self._sessions = sessions
        link.spawn(self._own("sessions", list(sessions)))

    async def _new_session(self, session: Session, link: _Link) -> None:
        await self._own("new_session", session)
        if session.id in self._ready:
            link.say({"type": "session.ready", "sessionId": session.id})

    def _hello(self) -> None:
        """Says hello if there is a session for it and no other hello is under way."""
        link = self._link
        if not link or self._asked:
            return
        try:
            session = self._choose()
        except Exception as error:
            return self._report(error)
        if session is None:
            return
        registration = self._registration
        hello = {"type": "hello", "name": self.name, "protocolVersion": PROTOCOL_VERSION, "session": session}
        link.say({**hello, **registration.as_hello(), "reconnectToken": self._reconnect_token})
        self._asked = (registration, session)
        if self._retry:
            self._retry.cancel()
        link.expect("the answer of the gateway to `hello`")
        self._ready = {one.id for one in self._sessions}

    def _choose(self) -> str | None:
        if callable(self._session):
            chosen = self._session(list(self._sessions))
            if chosen is not None and not isinstance(chosen, str):
                raise TypeError("the function that chooses a session returns its id, or None")
            return chosen
        ids = [session.id for session in self._sessions]
        if self._is_for_all():
            return "all" if ids else None
        wanted = self._session or self._last_session
        return wanted if wanted in ids else ids[0] if ids and self._session is None else None

    def _is_for_all(self) -> bool:
        """By its own wish, else where its token allows it."""
        if self._session is not None:
            return self._session == "all"
        return self._link is None or self._link.token != self._token_for_one

    def _bound(self, message: Json, link: _Link) -> None:
        link.came()
        asked, self._asked = self._asked, None
        self._joins_no_other = message.get("isForAll") is False
        self._bound_at = min(self._bound_at, time.monotonic())
        self._refusals = 0
        self._last_trouble = ""
        self.provider_id, self.session_id = message["providerId"], message.get("sessionId")
        self.persist_dir, self._reconnect_token = message.get("persistDir"), message.get("reconnectToken")
        self._last_session = self.session_id or self._last_session
        consent = message.get("consent")
        fits = isinstance(consent, dict) and isinstance(consent.get("decision"), str) and isinstance(consent.get("wants"), list)
        self.consent = consent if fits else None
        is_for_all = self._is_for_all() and not self._joins_no_other
        where = "all sessions" if is_for_all else f"“{self._label_of(self.session_id)}”" if self.session_id else "its session"
        lent = asked[0] if asked else self._registration
        self._print(f"lends {', '.join(lent.tools) or 'no tools'} to {where}")
        self._set_state("bound")
        self._report_consent()
        if not asked or asked[0] is not self._registration:
            return self._hello()  # what it registers has changed meanwhile
        for stream, rules in self._registration.filters.items():
            link.spawn(self._repeat_filter(link, stream, rules))

    async def _repeat_filter(self, link: _Link, stream: str | None, rules: list[Json]) -> None:
        try:
            await link.request({"type": "filter.set", "stream": stream, "rules": rules})
        except Exception as error:
            self._report(error)

    def _refused(self, message: Json, link: _Link) -> None:
        code, asked = message["code"], self._asked
        is_of_hello = asked is not None and message.get("replyTo", "hello") == "hello"
        if code == "INVALID_SESSION" and self._session is None and asked and is_of_hello:
            # A refusal of `all` is how a provider learns what its token is for. When one session is refused too, it was not that.
            self._token_for_one = link.token if asked[1] == "all" else None
            if self._token_for_one:
                self._asked = None
                return self._hello()
        self._report(GatewayError(code, message["message"]))
        if self._pairing:
            if self._pairing == "asked" or self._codes_typed >= PAIRING_TRIES:
                self._close()
            return
        if code == "UNSUPPORTED_VERSION":
            return self._close()
        if code == "AUTH_FAILED":
            self._refused_token = link.token
            if link.token and self._can_pair():
                self._paired_token = None
                self._at_once("token", None)
        if not asked or not is_of_hello:
            return
        link.came()
        self._asked = None
        self._wait_for_session()
        if code == "INVALID_SESSION" and self._choose() != asked[1]:
            return self._hello()  # the list has changed meanwhile
        if code in PASSING:
            self._refusals += 1
            delay = _backoff(self._refusals, AGAIN_SECONDS, LONGEST_RETRY_SECONDS)
            self._retry = asyncio.get_running_loop().call_later(delay, self._hello)

    async def _shutdown(self, message: Json, link: _Link) -> None:
        session_id = message["sessionId"]
        self._set_sessions([session for session in self._sessions if session.id != session_id], link)
        self._ready.discard(session_id)
        await self._own("shutdown", session_id, message.get("deadline", 0))
        link.say({"type": "shutdown.ready", "sessionId": session_id})
        if self.state == "bound" and self.session_id == session_id and not self._is_for_all():
            self._wait_for_session()
            self._hello()

    def _label_of(self, session_id: str | None) -> str:
        return next((session.label for session in self._sessions if session.id == session_id), str(session_id))

    # Answers

    async def _call(self, call: Json, context: Context, link: _Link) -> None:
        identity = call["id"]

        def answer(told: Json) -> None:
            if identity in link.calls and not context.cancelled.is_set():
                link.say({"type": "tool.result", "id": identity, **told})
                del link.calls[identity]

        try:
            tools = [registration.tools.get(call["tool"]) for registration in (self._wanted, self._registration) if registration]
            found = next((one for one in tools if one), None)
            if not found:
                raise ToolError("NOT_FOUND", f"there is no tool {call['tool']}")
            data = await _run(found.run, **call["args"], **({found.context: context} if found.context else {}))
            if isinstance(data, FileResult):
                path = Path(data.path)
                told = {"path": str(path), "mimeType": data.mime_type, "size": path.stat().st_size, "ttl": data.ttl}
                answer({"file": told})
            else:
                answer({"data": _result_of(data)})
        except asyncio.CancelledError:
            answer({"error": "the tool was cancelled by its own program", "errorCode": "INTERNAL"})
            raise
        except Exception as error:
            code, retryable = (error.code, error.retryable) if isinstance(error, ToolError) else ("INTERNAL", False)
            said = str(error) or type(error).__name__
            answer({"error": said[:MAX_ERROR_LENGTH], "errorCode": str(code)[:MAX_CODE_LENGTH], "retryable": retryable})

    def _cancel(self, identity: str, link: _Link) -> None:
        task, context = link.calls.pop(identity, (None, None))
        if task and context:
            context.cancelled.set()
            task.cancel()
        link.say({"type": "tool.result", "id": identity, "error": "Cancelled", "errorCode": "CANCELLED"})

    async def _gate(self, check: Json, link: _Link) -> None:
        ask = self._gates.get(check["gateId"])
        try:
            decision = await _run(ask, check) if ask else Decision("deny", "the provider has no function for this gate")
            if not isinstance(decision, Decision):
                raise TypeError("a gate returns a Decision")
        except Exception as error:
            self._report(error)
            decision = Decision("deny", str(error)[:MAX_ERROR_LENGTH])
        told = {"gateId": check["gateId"], "callId": check["callId"], "decision": decision.decision, "reason": decision.reason}
        link.say({"type": "gate.result", **told})

    async def _transform(self, request: Json, link: _Link) -> None:
        content, write = request["current"], self._transforms.get(request["section"])
        try:
            content = await _run(write, content) if write else content
            if not isinstance(content, str):
                raise TypeError("a transform returns a string")
        except Exception as error:
            self._report(error)
            content = request["current"]
        link.say({"type": "transform.result", "callId": request["callId"], "content": content})

    # Changes

    def _check_not_running(self) -> None:
        if self._loop:
            raise RuntimeError("while the provider runs, use update_tools() and update_hooks()")

    def _hooks(self) -> Json:
        self._check_not_running()
        return typing.cast(Json, self._registration.hello.setdefault("hooks", {}))

    async def _update(self, message: Json, change: Callable[[_Registration], _Registration]) -> None:
        """One after the other, because the gateway refuses one that overtakes."""
        if self._loop is None:
            self._registration = change(self._registration)
            return
        async with self._updates:
            if self._is_closed():
                raise ConnectionError("the provider is closed")
            wanted = change(self._registration)
            if self.state == "bound":
                self._wanted = wanted
                try:
                    await self._ask_patiently(message)
                finally:
                    self._wanted = None
            self._registration = wanted
            if self.state == "waiting for a session":
                self._hello()  # the hello may have been refused for what has changed now

    async def _ask_patiently(self, message: Json) -> None:
        for tries in range(1, UPDATE_TRIES + 1):
            if not self._link:
                raise ConnectionError(GONE)
            try:
                await self._link.request(message)
                return
            except GatewayError as error:
                if error.code != "RATE_LIMITED" or tries == UPDATE_TRIES:
                    raise
            await asyncio.sleep(AGAIN_SECONDS)

    # What it says to the program and to its user

    async def _own(self, event: Event, *values: Any) -> Any:
        """Runs code of the program. An error in it is reported and goes no further."""
        if handler := self._handlers.get(event):
            try:
                return await _run(handler, *values)
            except Exception as error:
                self._report(error)
        return None

    def _at_once(self, event: Event, value: Any) -> None:
        if handler := self._handlers.get(event):
            try:
                handler(value)
            except Exception as error:
                self._report(error)

    def _set_state(self, state: State) -> None:
        is_changed = state != self.state
        self.state = state
        if is_changed:
            self._at_once("state", state)

    def _wait_for_session(self) -> None:
        if not self._sessions and self.state != "waiting for a session":
            self._print("waits for a session: open one in VS Code with Tapline")
        self._set_state("waiting for a session")

    def _report_consent(self) -> None:
        if self.consent and self.consent["decision"] != "allowed" and self.consent["wants"]:
            self._report(ConsentError(self.consent["decision"], [str(one) for one in self.consent["wants"]]))

    def _report(self, error: Exception) -> None:
        """The same error in a row is reported once."""
        said = str(error) or type(error).__name__
        if self._is_closed() or said == self._last_trouble:
            return
        self._last_trouble = said
        handler = self._handlers.get("error")
        if not handler:
            return self._print(said)
        try:
            handler(error)
        except Exception as wrong:
            self._print(f"the handler of errors has failed: {wrong}")

    def _print(self, said: str) -> None:
        """What comes from elsewhere must not steer the terminal."""
        line = "".join(one if one.isprintable() else " " for one in f"{self.name}: {said}"[:MAX_PRINTED_LENGTH])
        self._log(line)


# --- Finding the gateway


async def _open(url: str, found: str | None) -> Any:
    """An open socket. The listener has proved that it knows the token that was `found`: docs/gateway-owner-link.md says how."""
    key, nonce = hashlib.sha256((found or "").encode()).hexdigest(), secrets.token_urlsafe(32)
    headers = {"Tapline-Challenge": f"{key[:16]}.{nonce}"} if found else {}
    library: Any = websockets  # what it has depends on its version
    major = int(library.__version__.split(".")[0])
    options: Json = {"additional_headers" if major >= 14 else "extra_headers": headers}
    if major >= 15:
        options["proxy"] = None  # the gateway is on this computer
    limits: Json = {"max_size": MESSAGE_BYTES, "open_timeout": OPEN_SECONDS, "close_timeout": 1}
    # The gateway pings.
    socket = await library.connect(url, compression=None, ping_interval=None, **limits, **options)
    if found:
        address = "{}:{}".format(*socket.remote_address[:2])
        answered = socket.response.headers if major >= 14 else socket.response_headers
        proof = hmac.new(key.encode(), f"server {address} {nonce}".encode(), hashlib.sha256).digest()
        expected = base64.urlsafe_b64encode(proof).rstrip(b"=")
        given = ",".join(answered.get_all("Tapline-Proof")).encode()
        if not hmac.compare_digest(given, expected):
            await socket.close()
            raise UnprovenListener(f"what listens on {address} did not prove to be who was meant; it was told nothing")
    return socket


def _running_gateway() -> str | None:
    home = Path(os.environ.get("TAPLINE_HOME") or Path.home() / ".tapline")
    try:
        url = _json.loads((home / "gateway.lock.json").read_text("utf-8"))["url"]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None  # also half written by one that was killed
    return url if isinstance(url, str) and url.startswith(("ws://", "wss://")) else None


def _find_token(failed: Sequence[str | None], is_needed: bool) -> str | None:
    """Called for every connection, because a new gateway has a new token while the variable still has the old one."""
    given = os.environ.get("TAP_PROVIDER_TOKEN")
    if given and given not in failed:
        return given
    home = Path(os.environ.get("COPILOT_HOME") or Path.home() / ".copilot")
    path = home / "extensions" / "tap" / ".provider-token"
    try:
        found = path.read_text("utf-8").strip()
    except FileNotFoundError:
        found = ""
    if is_needed and not (found or given):
        raise FileNotFoundError(f"there is no TAP_PROVIDER_TOKEN and no {path}: is a gateway running?")
    return found or given


# --- Small things


async def _run(function: Callable[..., Any], *values: Any, **named: Any) -> Any:
    """An async function here, another in a thread of its own, which does not keep the program from ending."""
    if inspect.iscoroutinefunction(function):
        return await function(*values, **named)
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def settle(result: Any, error: BaseException | None) -> None:
        if done.done():
            return
        if error:
            done.set_exception(error)
        else:
            done.set_result(result)

    def work() -> None:
        result: Any = None
        failure: BaseException | None = None
        try:
            result = context.run(function, *values, **named)
        except StopIteration as error:
            failure = RuntimeError(f"StopIteration: {error}")  # a future does not take it
        except BaseException as error:  # also SystemExit: the program goes on
            failure = error if isinstance(error, Exception) else RuntimeError(f"{type(error).__name__}: {error}")
        try:
            loop.call_soon_threadsafe(settle, result, failure)
        except RuntimeError:
            pass  # the program has ended meanwhile

    context = contextvars.copy_context()
    threading.Thread(target=work, daemon=True, name=f"tapline {getattr(function, '__name__', '')}").start()
    result = await done
    return await result if inspect.isawaitable(result) else result


def _backoff(attempt: int, first: float, longest: float) -> float:
    """Seconds. A random part of up to half is taken off, so that many do not return at once."""
    return min(longest, first * 2.0 ** min(attempt - 1, 30)) * (1 - random.random() / 2)


def _given(**values: Any) -> Json:
    return {key: value for key, value in values.items() if value is not None}


def _dumps(value: Any, indent: int | None = None) -> str:
    return _json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent, separators=None if indent else (",", ":"))


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _print(line: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    print(line.encode(encoding, "replace").decode(encoding), flush=True)
