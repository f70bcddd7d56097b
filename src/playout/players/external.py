"""`ExternalPlayer`: a program that runs beside us and is asked over its own protocol.

Whatever the program does, it can only lose its game:

| it                                     | reason         |
|----------------------------------------|----------------|
| ends                                   | `crash`        |
| answers a move that is not legal here  | `illegal move` |
| answers what is no move of the game    | `garbage`      |
| answers later than allowed             | `time`         |
| does not answer                        | `hang`         |
| says things that are not the protocol  | `garbage`      |
| floods its output                      | `garbage`      |
| holds more memory than allowed         | `memory`       |

After a failure the process is killed, with all that it started; the next game begins
with a new one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from ..core.errors import UsageError
from ..games.contract.game import Game
from ..games.positions.position import Position
from ..protocols.process import ProcessTransport, expect_program
from ..protocols.transport import Transport
from .answers import expect_legal, read_comment
from .dialogues import PROTOCOLS, Dialogue
from .exec_spec import parse_exec
from .player import Allowance, Decision, Player, PlayerFailure
from .wire import START_SECONDS, EngineAnswer, Wire

__all__ = ["ExternalPlayer", "make_external"]

#: How long to wait for the answer to one greeting before the next is tried.
GREETING_SECONDS = 4.0
#: How long after the end of its time an answer is still waited for.
GRACE_SECONDS = 1.5
#: How often `Allowance.progress` is asked whether to go on.
WATCH_SECONDS = 0.1
#: The end of stderr is cut, in characters.
LONGEST_TAIL = 4000


class ExternalPlayer(Player):
    """Plays the moves of an engine.

    Args:
        command: how to start it, as on a command line.
        game: the game; Gomocup's protocol has Gomoku only.
        protocol: "gomocup", "ugi" or "jsonl"; tried in turn where it is None.
        tolerance: seconds by which an answer may be late, at least 0, where the
            allowance does not say.
        patience: seconds until an engine that was given no time counts as hung.
        memory: bytes that all its processes may hold; looked at after every move.
        start: makes the connection; `ProcessTransport` by default.
    """

    allowance = Allowance(seconds=1.0)
    #: The protocols that are tried in turn.
    dialogues: tuple[type[Dialogue], ...] = tuple(PROTOCOLS.values())

    def __init__(
        self,
        command: str,
        game: Game,
        protocol: str | None = None,
        *,
        tolerance: float = 0.5,
        patience: float = 300.0,
        memory: int | None = None,
        start: Callable[[str], Transport] = ProcessTransport,
    ) -> None:
        options = [protocol] if protocol else []
        options += [] if memory is None else [f"memory={memory}"]
        name = ",".join(options) + ":" if options else ""
        super().__init__(f"exec:{name}{command}", game)
        if protocol is not None and protocol not in PROTOCOLS:
            raise UsageError(
                f"unknown protocol {protocol!r}; known: {', '.join(PROTOCOLS)}"
            )
        self.command, self.protocol, self.memory = command, protocol, memory
        self.tolerance, self.patience = tolerance, patience
        self._start = start
        self._candidates = [
            cls
            for cls in self.dialogues
            if cls.speaks(game) and protocol in (None, cls.name)
        ]
        if not self._candidates:
            raise UsageError(
                f"{protocol} has Gomoku on square boards only, not {game.name or game}"
            )
        self._strange = True  # whether it has answered no greeting as it should
        self._wire: Wire | None = None
        self._dialogue: Dialogue | None = None

    # -- the contract ------------------------------------------------------------------

    def prepare(self) -> None:
        """Start the engine, and find out what it speaks.

        Raises:
            UsageError: it cannot be started, or speaks nothing that we do.
        """
        if self._wire is not None:
            return
        try:
            self._connect()
        except PlayerFailure as failure:
            self.close()
            raise UsageError(f"{self.command}: {failure}") from None

    def new_game(self, seed: int) -> None:
        """Have it forget the last game; one that failed is started again.

        Raises:
            PlayerFailure: it does not come up.
        """
        with self._explained():
            if self._wire is None:
                self._connect()
            assert self._wire is not None
            assert self._dialogue is not None
            self._dialogue.new_game(self._wire, seed)

    def choose(self, position: Position, allowance: Allowance) -> Decision:
        if self._wire is None:
            self.new_game(0)
        with self._explained():
            answer = self._ask(position, self.granted(allowance))
            action = expect_legal(position, answer.action)
            self._check_memory()
        return Decision(action, None, read_comment(answer.comment), answer.value)

    def stop(self) -> None:
        wire, dialogue = self._wire, self._dialogue  # which the asking thread may end
        if wire is not None and dialogue is not None:
            dialogue.stop(wire)

    def close(self) -> None:
        wire, self._wire, self._dialogue = self._wire, None, None
        if wire is not None:
            wire.transport.close()

    # -- the conversation --------------------------------------------------------------

    def _connect(self) -> None:
        """Start a process and greet it in one protocol after the other."""
        failure: PlayerFailure | None = None
        greeted: list[type[Dialogue]] = []
        self._strange = True
        for cls in self._candidates:
            if self._wire is None:
                self._wire, greeted = Wire(self._start(self.command)), []
            greeted.append(cls)
            try:
                if self._greet(greeted, last=cls is self._candidates[-1]):
                    return
            except PlayerFailure as error:  # it ended, so the next greets another one
                failure = PlayerFailure(error.reason, error.detail + self._last_words())
                self.close()
        known = ", ".join(cls.name for cls in self._candidates)
        raise failure or self._silence(f"no answer to the greeting of {known}")

    def _greet(self, greeted: list[type[Dialogue]], last: bool) -> bool:
        """Whether the engine answered the newest greeting, or an earlier one.

        An engine that answers several greetings with something else is not slow, so it
        gets no more time.
        """
        wire = self._wire
        assert wire is not None
        wire.send(greeted[-1].greeting)

        def read(line: str) -> type[Dialogue] | None:
            found = [each for each in greeted if each.recognizes(line)]
            wire.strange = line.strip() or wire.strange
            return found[0] if found else None

        wire.strange = ""
        spoken = wire.wait(read, GREETING_SECONDS)
        self._strange = self._strange and bool(wire.strange)
        if spoken is None and last and not (self._strange and len(greeted) > 1):
            spoken = wire.wait(read, START_SECONDS - GREETING_SECONDS * len(greeted))
        if spoken is not None:
            self._dialogue = spoken(self.game, self.memory)
        return spoken is not None

    def _ask(self, position: Position, allowance: Allowance) -> EngineAnswer:
        """Ask, wait, and where time is over, tell it to stop and wait once more."""
        wire, dialogue = self._wire, self._dialogue
        assert wire is not None
        assert dialogue is not None
        limit = _seconds(allowance)
        allowed = self.patience if limit is None else limit + self._tolerance(allowance)
        started = wire.transport.clock()
        dialogue.ask(wire, position, allowance)
        answer = self._wait(allowed, allowance)
        if answer is None:
            self.stop()
            answer = self._wait(GRACE_SECONDS, allowance)
            took = wire.transport.clock() - started
            if answer is not None:
                raise PlayerFailure("time", f"answered after {took:.3f} s")
            raise self._silence(f"no answer within {took:.1f} s")
        return answer

    def _tolerance(self, allowance: Allowance) -> float:
        given = allowance.tolerance
        return self.tolerance if given is None else given

    def _wait(self, seconds: float, allowance: Allowance) -> EngineAnswer | None:
        """Wait for the answer; `Allowance.progress` may ask for it early."""
        wire, dialogue = self._wire, self._dialogue
        assert wire is not None
        assert dialogue is not None
        deadline, stopped = wire.transport.clock() + seconds, False
        slice_ = seconds if allowance.progress is None else WATCH_SECONDS
        while (left := deadline - wire.transport.clock()) > 0:
            answer = wire.wait(
                lambda line: dialogue.read(wire, line), min(left, slice_)
            )
            if answer is not None:
                return answer
            if allowance.progress is not None and not stopped:
                stopped = allowance.progress(None) is False
                if stopped:
                    self.stop()
        return None

    def _check_memory(self) -> None:
        assert self._wire is not None
        if self.memory is not None:
            held = self._wire.transport.memory()
            if held > self.memory:
                raise PlayerFailure(
                    "memory", f"holds {held / 1e6:.0f} MB of {self.memory / 1e6:.0f} MB"
                )

    # -- failures ----------------------------------------------------------------------

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Add the engine's last words to a failure, and end what has failed."""
        try:
            yield
        except PlayerFailure as failure:
            words = self._last_words()
            self.close()
            raise PlayerFailure(failure.reason, failure.detail + words) from None

    def _silence(self, what: str) -> PlayerFailure:
        return self._wire.silence(what) if self._wire else PlayerFailure("hang", what)

    def _last_words(self) -> str:
        tail = self._wire.transport.stderr_tail if self._wire is not None else ""
        return f"; its stderr ends: {tail[-LONGEST_TAIL:]}" if tail else ""


def make_external(text: str, game: Game) -> ExternalPlayer:
    """The player of `exec:TEXT`.

    Raises:
        UsageError: there is no command, or no such program, or the protocol does not
            have the game.
    """
    found = parse_exec(text)
    if not found.command:
        raise UsageError(
            "exec needs a command, as in exec:./engine or exec:ugi:./engine"
        )
    expect_program(found.command)
    return ExternalPlayer(found.command, game, found.protocol, memory=found.memory)


def _seconds(allowance: Allowance) -> float | None:
    """When an answer is due, None where no time is prescribed."""
    limits = [s for s in (allowance.seconds, allowance.remaining) if s is not None]
    return max(0.0, min(limits)) if limits else None
