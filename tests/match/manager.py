"""The server's side of the match protocol, as two real game servers speak it.

`play` runs a match against players over TCP just as ggp-base's game server or the Dresden game
controller would: same bytes, same clocks, same reading of the reply, same replacement of a bad
move. `send` and `raw` deliver single messages, well-formed or not. `ScriptedPlayer` is the other
end: a player whose replies are laid down beforehand. Dresden's GDL-II dialect (percepts in place
of moves) is not reproduced: every game is played as one of complete information.
"""

from __future__ import annotations

import codecs
import random
import re
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, Self, TypeAlias
from urllib.parse import quote_plus, unquote_plus

Server: TypeAlias = Literal["ggp-base", "dresden"]
Method: TypeAlias = Literal["POST", "GET"]
Address: TypeAlias = tuple[str, int]
State: TypeAlias = Any  # whatever the rules engine uses: the manager only hands it back

GRACE: Mapping[Server, Mapping[str, float]] = {  # seconds that the server adds to its clocks
    "ggp-base": {"PLAY": 1.0},
    "dresden": {"START": 1.0, "PLAY": 1.0, "STOP": 1.0},
}
CONNECT: Mapping[Server, float] = {"ggp-base": 5.0, "dresden": 2.0}  # seconds to connect
ABORT_CLOCK = 1.0
KEYWORDS = "role true init next legal goal terminal does base input or and not <= distinct"


class Rules(Protocol):
    """What the manager asks of a rules engine; moves and roles are KIF in one fixed spelling.

    `roles` come in the order of the sheet, `legal` moves sorted and at least one.
    """

    @property
    def roles(self) -> Sequence[str]: ...
    def initial(self) -> State: ...
    def legal(self, state: State, role: str, /) -> Sequence[str]: ...
    def next(self, state: State, moves: dict[str, str], /) -> State: ...
    def terminal(self, state: State, /) -> bool: ...
    def goals(self, state: State, /) -> Mapping[str, int]: ...


@dataclass(frozen=True)
class Match:
    """One match: clocks in seconds (whole ones, if the player insists on integers).

    Roles that have no address in `players`, and any role called `random`, are played at random
    by the manager. `pause` precedes each PLAY of the Dresden controller. `preview` is the clock
    of PREVIEW (ggp-base; None: not sent). After `abort_after` joint moves the match is given up:
    ggp-base sends ABORT, Dresden nothing. `names` (by role) fill ggp-base's header `Receiver`.
    """

    id: str
    rules: Rules
    text: str
    startclock: float
    playclock: float
    players: Mapping[str, Address]
    server: Server
    scramble: bool = False
    seed: int = 0
    pause: float = 0.5
    preview: float | None = None
    abort_after: int | None = None
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What came back for one message: the reply's raw text and the error kind, if any.

    `error` is None, `TO` (time-out), `CE` (refused, reset, closed without a reply) or, for PLAY,
    `IL <reply>`. `seconds` run from the connection to the end of the reply (or of the patience).
    """

    text: str | None
    error: str | None
    seconds: float


@dataclass(frozen=True)
class Step:
    """One joint move as used, in the engine's spelling, and the answer of each role asked."""

    moves: dict[str, str]
    answers: dict[str, Answer]


@dataclass
class Record:
    """All that happened in a match, by role."""

    preview: dict[str, Answer] = field(default_factory=dict)
    start: dict[str, Answer] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    goals: dict[str, int] = field(default_factory=dict)
    stop: dict[str, Answer] = field(default_factory=dict)
    abort: dict[str, Answer] = field(default_factory=dict)

    @property
    def faults(self) -> list[tuple[int, str, str]]:
        """(step, role, error) of each fault of a player; START counts as step 0."""
        rounds = [self.start, *(step.answers for step in self.steps)]
        return [(n, r, a.error) for n, row in enumerate(rounds) for r, a in row.items() if a.error]


def expressions(text: str) -> Iterator[list[str]]:
    """The tokens of each expression in turn; ValueError where the parentheses do not match."""
    depth, tokens = 0, list[str]()
    for token in re.findall(r"[()]|[^\s()]+", text):
        depth += (token == "(") - (token == ")")
        if depth < 0:
            raise ValueError("a closing parenthesis too many")
        tokens.append(token)
        if depth == 0:
            yield tokens
            tokens = []
    if depth:
        raise ValueError("the last expression is unfinished")


def scrambling(text: str, keep: set[str], seed: int) -> dict[str, str]:
    """A new word for each symbol and variable, case folded; roles too, but not numbers."""
    rng, words = random.Random(f"scramble {seed}"), dict[str, str]()
    old = {token.lower() for tokens in expressions(text) for token in tokens}
    taken = {"", "?", "nil"} | keep | old
    for token in sorted(t for t in old - keep if not re.fullmatch(r"[()]|[+-]?\d+", t)):
        word = sign = "?" * token.startswith("?")
        while word in taken:
            word = sign + "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in "123")
        taken.add(word)
        words[token] = word
    return words


class Wire:
    """The text of the messages of one match, in one server's spacing, letter case and names."""

    def __init__(self, match: Match) -> None:
        self.match, self.ggp_base = match, match.server == "ggp-base"
        text = re.sub(r"#\|.*?\|#|;[^\r\n]*", " ", match.text, flags=re.DOTALL)
        keep = {*KEYWORDS.split(), *(() if self.ggp_base else ("random", "sees"))}
        self.names = scrambling(text, keep, match.seed) if match.scramble else {}
        self.rules = self._list(" ".join(tokens) for tokens in expressions(text))

    def key(self, kif: str) -> str:
        """The wire's spelling of an expression with its tokens a blank apart, to compare moves."""
        tokens = next(expressions(kif))
        return self._fold(" ".join(self.names.get(token.lower(), token) for token in tokens))

    def term(self, kif: str) -> str:
        """An expression as sent: `( mark 1 1 )` by ggp-base, `(MARK 1 1)` by Dresden."""
        key = self.key(kif)
        return key if self.ggp_base else key.replace("( ", "(").replace(" )", ")")

    def read(self, reply: str) -> str:
        """The key of the move in a reply, empty if it cannot be read.

        ggp-base ignores what follows the first expression; to Dresden it is a parse error.
        """
        try:
            found = expressions(reply)
            key = self._fold(" ".join(next(found, [])))
            return key if self.ggp_base or not any(found) else ""
        except ValueError:
            return ""

    def start(self, role: str) -> str:
        """`( START m1 xplayer (( role xplayer ) ... ) 5 3)`, `(START dm1 XPLAYER (...) 8 4)`."""
        clocks = f"{self.match.startclock:g} {self.match.playclock:g}"
        message = f"START {self.match.id} {self.term(role)} {self.rules} {clocks}"
        return f"( {message})" if self.ggp_base else f"({message})"

    def moves(self, verb: str, joint: Mapping[str, str] | None) -> str:
        """PLAY or STOP: `( PLAY m1 (( mark 1 3 ) noop ) )`, `(PLAY dm1 ((MARK 2 1) NOOP))`."""
        told = "NIL" if joint is None else self._list(joint[r] for r in self.match.rules.roles)
        message = f"{verb} {self.match.id} {told}"
        return f"( {message} )" if self.ggp_base else f"({message})"

    def _fold(self, text: str) -> str:
        """ggp-base keeps case apart; Dresden sends upper case and takes any."""
        return text if self.ggp_base else text.upper()

    def _list(self, expressions: Iterable[str]) -> str:
        """A list: with a trailing blank inside by ggp-base."""
        inside = " ".join(map(self.term, expressions))
        return f"({inside} )" if self.ggp_base else f"({inside})"


def request(
    host: str, body: str | bytes, style: Server, *, receiver: str = "", method: Method = "POST",
    content_length: bool | int = True, host_header: bool | str = True,
) -> tuple[bytes, bytes]:  # fmt: skip
    """Head and body of a request exactly as the server writes it: HTTP/1.0, CRLF, no keep-alive.

    `content_length`: True counts the body's characters, False leaves the header out, a number
    is stated as it is. `host_header`: True as the server has it (Dresden: none), False none.
    GET has the message in its path and ends, as ggp-base's does, in two empty lines.
    """
    post = method == "POST"
    lines = [f"{method} /{'' if post else quote_plus(body)} HTTP/1.0", "Accept: text/delim"]
    if host_header is True and style == "ggp-base":
        host_header = "localhost" if host in ("127.0.0.1", "::1") else host
    lines += [f"Host: {host_header}"] * isinstance(host_header, str)
    length = len(body) if content_length is True else content_length
    if style == "ggp-base":
        lines += ["Sender: GAMESERVER", f"Receiver: {receiver}"]
        entity = ["Content-Type: text/acl", f"Content-Length: {length}"]
    else:
        lines += ["Sender: Gamecontroller", f"Receiver: {host}"]
        entity = ["Content-type: text/acl", f"Content-length: {length}"]
    lines += entity[: 1 + (content_length is not False)] * post
    data = body.encode() if isinstance(body, str) else body
    return "\r\n".join([*lines, "", ""]).encode(), data if post else b"\r\n"


def split(data: bytes) -> tuple[str, bytes | None]:
    """Head and body of a message; no body where the empty line is missing."""
    head, *rest = re.split(rb"\r?\n\r?\n", data, maxsplit=1)
    return head.decode("latin-1"), rest[0] if rest else None


def body_of(data: bytes, server: Server, closed: bool) -> str | None:
    """The body of a reply as the server understands it, None while it would read on.

    ggp-base reads Content-Length characters if given (header name in any case), else until
    close, and then drops line ends; Dresden reads until close. Both ignore the status line.
    """
    head, rest = split(data)
    if rest is None:
        if closed:
            raise ConnectionError("closed without a reply")
        return None
    text = codecs.utf_8_decode(rest, "replace", closed)[0]
    stated = re.findall(r"^content-length:[ \t]*(.*?)\s*$", head, re.IGNORECASE | re.MULTILINE)
    if server == "dresden" or not stated:
        whole = text if server == "dresden" else re.sub(r"[\r\n]", "", text).strip()
        return whole if closed else None
    if not re.fullmatch(r"[+-]?\d+", stated[-1]):
        raise ConnectionError("Content-Length is not a number")
    length = max(int(stated[-1]), 0)
    # Past the end of the stream, ggp-base reads the character U+FFFF for each one missing.
    return text[:length].ljust(length, "\uffff").strip() if closed or len(text) >= length else None


def ask(address: Address, body: str, server: Server, timeout: float, receiver: str = "") -> Answer:
    """Send one message and wait as the server does; never raises for what the player does.

    ggp-base grants `timeout` for each read, Dresden in total from the established connection.
    Refused, reset or closed without a reply is `CE`, any time-out `TO`.
    """
    begun = time.monotonic()
    try:
        with socket.create_connection(address, CONNECT[server]) as sock:
            begun = time.monotonic()
            sock.sendall(b"".join(request(address[0], body, server, receiver=receiver)))
            data, closed = b"", False
            while (text := body_of(data, server, closed)) is None:
                since = begun if server == "dresden" else time.monotonic()
                chunk = _receive(sock, since + timeout)
                data, closed = data + chunk, not chunk
        return Answer(text, None, time.monotonic() - begun)
    except OSError as error:
        kind = "TO" if isinstance(error, TimeoutError) else "CE"
        return Answer(None, kind, time.monotonic() - begun)


def _receive(sock: socket.socket, deadline: float) -> bytes:
    """What comes next, nothing once the peer has closed; TimeoutError at the deadline."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    sock.settimeout(left)
    return sock.recv(65536)


@dataclass(frozen=True)
class Reply:
    """A player's reply to `send`: header names in lower case; `closed`: the player closed.

    `seconds` run from the end of sending to the last byte of the reply; `data` is every byte.
    """

    status_line: str
    headers: dict[str, str]
    body: str
    closed: bool
    seconds: float
    data: bytes


def send(
    host: str, port: int, body: str | bytes, *, style: Server = "ggp-base",
    content_length: bool | int = True, method: Method = "POST", host_header: bool | str = True,
    timeout: float = 60.0, pieces: int = 1, pause: float = 0.05, half_close: bool = False,
) -> Reply:  # fmt: skip
    """Send one message (see `request`), head and body each cut into `pieces` (see `raw`)."""
    parts = request(
        host, body, style, method=method, content_length=content_length, host_header=host_header
    )
    cuts = [b"".join(parts)] if pieces == 1 else []
    for part in parts if pieces > 1 else ():
        size = max(1, -(-len(part) // pieces))
        cuts += [part[at : at + size] for at in range(0, len(part), size)]
    return raw(host, port, cuts, timeout=timeout, pause=pause, half_close=half_close)


def raw(
    host: str, port: int, pieces: Sequence[bytes], *, timeout: float = 5.0, pause: float = 0.05,
    half_close: bool = False,
) -> Reply:  # fmt: skip
    """Send bytes as TCP pieces, `pause` seconds apart, then read until the player closes.

    `timeout` seconds after the last piece, what has come so far is returned, not `closed`.
    With `half_close` our side of the connection is shut after the last piece.
    """
    with socket.create_connection((host, port), timeout) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with suppress(OSError):  # a player may refuse and close before it has everything
            for n, piece in enumerate(pieces):
                time.sleep(pause if n else 0)
                sock.sendall(piece)
            if half_close:
                sock.shutdown(socket.SHUT_WR)
        begun = last = time.monotonic()
        data, closed = b"", True
        try:
            while chunk := _receive(sock, begun + timeout):
                data, last = data + chunk, time.monotonic()
        except OSError as error:  # a reset connection is a closed one, too
            closed = not isinstance(error, TimeoutError)
    head, rest = split(data)
    body = (rest or b"").decode("utf-8", "replace")
    status, *lines = head.splitlines() or [""]
    headers = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
    return Reply(status, headers, body, closed, last - begun, data)


def play(match: Match) -> Record:
    """Run a match to its end and return its record; see `Match`.

    Where the sheet turns out faulty (no legal move, no goal) the error propagates and no STOP is
    sent, as with ggp-base.
    """
    return _Manager(match).run()


class _Manager:
    """The state of one running match."""

    def __init__(self, match: Match) -> None:
        self.match, self.rules, self.wire = match, match.rules, Wire(match)
        self.record, self.rng = Record(), random.Random(match.seed)
        self.remote = [r for r in self.rules.roles if r in match.players and r.lower() != "random"]

    def run(self) -> Record:
        match, record, ggp_base = self.match, self.record, self.wire.ggp_base
        state, joint = self.rules.initial(), None
        if ggp_base and match.preview is not None:
            preview = f"( PREVIEW {self.wire.rules} {match.preview:g} )"
            record.preview = self.ask("PREVIEW", match.preview, lambda _: preview)
        record.start = self.ask("START", match.startclock, self.wire.start)
        while not self.rules.terminal(state):
            if len(record.steps) == match.abort_after:
                if ggp_base:
                    record.abort = self.ask("ABORT", ABORT_CLOCK, lambda _: f"( ABORT {match.id} )")
                return record
            joint = self.step(state, self.wire.moves("PLAY", joint))
            state = self.rules.next(state, joint)
        record.goals, stop = dict(self.rules.goals(state)), self.wire.moves("STOP", joint)
        record.stop = self.ask("STOP", match.playclock, lambda _: stop)
        return record

    def step(self, state: State, message: str) -> dict[str, str]:
        """One round of PLAY: bad moves are replaced at random (ggp-base) or by the first legal."""
        legal = {role: self.rules.legal(state, role) for role in self.rules.roles}
        moves = {role: self.rng.choice(legal[role]) for role in self.rules.roles}
        if self.match.server == "dresden":
            time.sleep(self.match.pause)
            moves |= {role: legal[role][0] for role in self.remote}
        answers = self.ask("PLAY", self.match.playclock, lambda _: message)
        for role, answer in answers.items():
            spellings = {self.wire.key(move): move for move in legal[role]}
            move = spellings.get(self.wire.read(answer.text or ""))
            if move is None and answer.error is None:
                answers[role] = replace(answer, error=f"IL {answer.text}".rstrip())
            moves[role] = move or moves[role]
        self.record.steps.append(Step(moves, answers))
        return moves

    def ask(self, verb: str, clock: float, body: Callable[[str], str]) -> dict[str, Answer]:
        """Send a message to all players at once and wait for every answer."""
        match, timeout = self.match, clock + GRACE[self.match.server].get(verb, 0.0)

        def one(role: str) -> Answer:
            name = match.names.get(role, "")
            return ask(match.players[role], body(role), match.server, timeout, name)

        with ThreadPoolExecutor(max_workers=max(1, len(self.remote))) as pool:
            return dict(zip(self.remote, pool.map(one, self.remote), strict=True))


@dataclass(frozen=True)
class Script:
    """How to reply to one message.

    After `delay` seconds the head is sent, `drip` seconds later the body (None: close without a
    reply), and the connection is closed after another `hold`.
    """

    body: str | None
    delay: float = 0.0
    drip: float = 0.0
    hold: float = 0.0
    status: str = "200 OK"
    content_length: bool = True


class ScriptedPlayer:
    """A player on a free local port that replies to PLAY by `plays` in turn, the last for ever.

    Replies to other messages are given by verb (`START=Script(...)`) or are the usual ones.
    `requests` holds all bytes received, one entry a connection. Use it in a `with` statement.
    """

    USUAL: Mapping[str, str] = {
        "START": "ready", "STOP": "done", "ABORT": "aborted", "PREVIEW": "ready",
        "INFO": "( ( name Scripted ) ( status available ) )",
    }  # fmt: skip

    def __init__(self, *plays: Script, **others: Script) -> None:
        self.plays = list(plays)
        self.others = {verb: Script(body) for verb, body in self.USUAL.items()} | others
        self.requests: list[bytes] = []
        self._ended, self._pool = threading.Event(), ThreadPoolExecutor(max_workers=16)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(0.02)
        self.address: Address = self._listener.getsockname()

    def __enter__(self) -> Self:
        self._pool.submit(self._listen)
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._pool.shutdown()
        self._listener.close()

    @property
    def messages(self) -> list[str]:
        """The body of each request so far."""
        return [(split(data)[1] or b"").decode() for data in self.requests]

    def _listen(self) -> None:
        while not self._ended.is_set():
            with suppress(TimeoutError):
                self._pool.submit(self._serve, self._listener.accept()[0])

    def _serve(self, sock: socket.socket) -> None:
        with sock, suppress(OSError):
            script = self._script(sock)
            length = f"Content-length: {len(script.body or '')}\r\n" * script.content_length
            head = f"HTTP/1.0 {script.status}\r\nContent-type: text/acl\r\n{length}\r\n"
            self._ended.wait(script.delay)
            if script.body is not None:
                sock.sendall(head.encode())
                self._ended.wait(script.drip)
                sock.sendall(script.body.encode())
                self._ended.wait(script.hold)

    def _script(self, sock: socket.socket) -> Script:
        """Read a request (a GET ends with its head) and choose the reply."""
        sock.settimeout(5.0)
        data, chunk, message = b"", b" ", None
        while chunk and message is None:
            chunk = sock.recv(65536)
            data += chunk
            message = body_of(data, "ggp-base", closed=not chunk)
            if data.startswith(b"GET") and b"\r\n\r\n" in data:
                message = unquote_plus(data.split()[1].decode()[1:])
        self.requests.append(data)
        verb = "".join(re.findall(r"\w+", message or "")[:1]).upper()
        if verb != "PLAY":
            return self.others.get(verb, Script(None))
        return self.plays.pop(0) if len(self.plays) > 1 else self.plays[0]
