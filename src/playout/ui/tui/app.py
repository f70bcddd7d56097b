"""`BoardApp`: a game on the whole screen of a terminal, for mouse and keys."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Footer, Input, Static

from ...core.errors import PlayoutError
from ...core.jit.native import on_compile
from ..common.compiling import compiling_sentence
from .board import BoardWidget
from .board_pane import BoardPane, MoveList
from .hanging import RulesWatch, watchful
from .help import KEYS, HelpScreen
from .host import Host, HostSettings
from .messages import (
    Answered,
    Compiling,
    Failed,
    FromThread,
    Hanging,
    Hinted,
    Prepared,
    Thought,
)
from .screen import bounded, has_hung_up, player_colors, variables
from .side import SidePanel, StatusLine
from .typed import MoveInput

__all__ = ["BoardApp"]

#: How often clocks are looked at, in seconds.
TICK = 0.2


class BoardApp(App[None]):
    """The screen: the board, the panels beside it, a line that says what goes on.

    Args:
        settings: what is played.
    """

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (64, "-normal"), (110, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = KEYS

    def __init__(self, settings: HostSettings) -> None:
        super().__init__()
        self.rules = RulesWatch(self.post_message)
        self.driver_class = watchful(self.driver_class, self.rules)
        self.settings = settings
        self.host = Host(settings, self.post_message)
        self.place = BoardPane(self.host.table.seen, id="place")
        self.moves = MoveList(id="moves")
        self.side = SidePanel(self.host, self._colors)
        self.status = StatusLine(self.host)
        self.typed = MoveInput()
        self._giving_up = -1  # the version of the table of which that was asked

    # -- the screen --------------------------------------------------------------------

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The players' colours, which `app.tcss` and the panels use."""
        return variables(self.current_theme.dark)

    @property
    def _colors(self) -> tuple[str, ...]:
        return player_colors(self.current_theme.dark)

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            with Vertical():
                yield self.place
                yield self.moves
            yield self.side
        yield self.status
        yield self.typed
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.rules.begin()
        game = self.settings.game
        self.title = game.title or game.name or type(game).__name__
        self.query_one("#title", Static).update(self.title)
        on_compile(self._compiling)
        self.set_interval(TICK, self._tick)
        self.app_resume_signal.subscribe(self, lambda _: self.screen.refresh())
        self._changed()
        self._focus()

    def on_unmount(self) -> None:
        on_compile(None)
        self.host.close()
        self.rules.close()

    def _compiling(self, label: str) -> Callable[[], None]:
        self.post_message(Compiling(compiling_sentence(label)))
        return lambda: self._post(Compiling(""))

    def _post(self, message: Message) -> None:
        self.post_message(message)

    def _changed(self, said: str = "", mood: str = "") -> None:
        """Show the table as it is now, and have whoever is to think do so."""
        self._show()
        self._say(said, mood)
        self.host.go_on()

    def _show(self) -> None:
        table = self.host.table
        position, mine = table.seen, table.mover in table.people
        self.place.show(position, mine, table.over)
        self._list()
        self.side.show()

    def _list(self) -> None:
        """Show the moves that are chosen by name, where there are any."""
        had_focus = self.moves.has_focus
        listed, bare = self.place.picking.by_name, self.place.view is None
        self.moves.set_class(not bare, "-beside")
        self.moves.display = bare or bool(listed)
        self.moves.show([self.settings.game.action_name(each) for each in listed])
        if had_focus and not self.moves.display:
            self._focus()

    def _focus(self) -> None:
        """To the board, or the list where there is none."""
        self.screen.set_focus(
            self.moves if self.place.view is None else self.place.view
        )

    def _say(self, text: str, mood: str = "") -> None:
        how = "choose in the list" if self.place.view is None else "click or Enter"
        if self.moves.display and self.place.view is not None:
            how += ", Tab to the list"
        self.status.say(text, mood, how)

    def _tick(self) -> None:
        if not self.is_headless and has_hung_up():
            self.exit()
        if not self._is_up:
            return
        if self.host.call_time():
            self._changed()
        elif self.settings.time is not None:
            self.side.show_seats()

    async def on_event(self, event: events.Event) -> None:
        """Bound the size that a terminal reports, as drawing takes memory."""
        if isinstance(event, events.Resize):
            event.size = bounded(event.size)
        if not (isinstance(event, events.Key) and self._type(event)):
            await super().on_event(event)

    def _type(self, event: events.Key) -> bool:
        """Take what belongs to a typed move at once; returns whether it did."""
        typing = self.screen.focused is self.typed
        if len(self.screen_stack) > 1 or not (typing or event.key == "m"):
            return False
        if not typing:
            self.action_type()
        elif event.key == "enter":
            self._play_typed()
        else:
            return self.typed.take(event)
        return True

    # -- what players and searches say -------------------------------------------------

    @on(FromThread)
    def hear(self, message: FromThread) -> None:
        """Take a message, unless the screen is being closed."""
        if isinstance(message, Hanging) and self.rules.take(message):
            self.refresh()  # what was written over it goes
            return
        if not self._is_up:
            return
        match message:
            case Compiling(sentence):
                self._say(sentence)
            case Failed(reason) | Hanging(reason):
                self._say(reason, "alert")
            case Prepared():
                self._prepared(message)
            case Thought():
                self._thought(message)
            case Answered():
                self._answered(message)
            case Hinted():
                self._hinted(message)

    @property
    def _is_up(self) -> bool:
        return self.side.is_whole

    def _prepared(self, message: Prepared) -> None:
        ask = partial(self.host.ask, message.moment)
        if self.host.watched and self.settings.delay and self.host.playing:
            self.set_timer(self.settings.delay, ask)
        else:
            ask()

    def _thought(self, message: Thought) -> None:
        if not self.host.hear(message):
            return
        self.side.show_thoughts()
        view, result = self.place.view, message.result
        if view is not None and result is not None and self.host.analysing:
            view.shares = {row.action: row.share for row in result.actions}
            view.refresh()

    def _answered(self, message: Answered) -> None:
        if self.host.take(message):
            self._changed()

    def _hinted(self, message: Hinted) -> None:
        if message.moment != self.host.moment:
            return
        decision = message.decision
        result = decision.result
        sure = decision.comment if result is None else result.units.tell(result.value)
        move = self.settings.game.action_name(decision.action)
        self._say(f"Hint: {move} ({sure})", "good")
        if (view := self.place.view) is not None:
            routes = self.place.picking.routes.by_action
            view.hint = frozenset(routes.get(decision.action, ()))
            view.refresh()
        if self.host.analysing:
            self.host.go_on()

    # -- what a person does ------------------------------------------------------------

    def play(self, move: str | int) -> None:
        """A person's move; the line says why if it is none."""
        self._try(partial(self.host.play, move))

    def _try(self, do: Callable[[], object], said: str = "") -> None:
        try:
            do()
        except PlayoutError as error:
            self._say(str(error), "alert")
        else:
            self._changed(said)

    @on(BoardWidget.CellChosen)
    def choose_cell(self, event: BoardWidget.CellChosen) -> None:
        picking, view = self.place.picking, self.place.view
        if view is None or self.host.table.mover not in self.host.table.people:
            return
        had = bool(picking.picked)
        action = picking.click(event.cell)
        view.refresh()
        self._list()
        if action is not None:
            self.play(action)
        elif picking.choices:
            self.moves.focus()
            self._say("Which move? Enter plays it, Escape leaves.")
        elif picking.picked:
            self._say("Now choose where it goes; Escape lets go of it.")
        elif had:
            self._say("")
        else:
            self._say("This cell cannot be played now.", "alert")

    @on(BoardWidget.Pointed)
    def name_cell(self, event: BoardWidget.Pointed) -> None:
        action = self.place.picking.move_at(event.cell)
        if action is not None:
            move = self.settings.game.action_name(action)
            self._say(f"Enter or a click plays {move}.")

    @on(MoveList.MoveChosen)
    def choose_move(self, event: MoveList.MoveChosen) -> None:
        self.play(event.move)

    def on_key(self, event: events.Key) -> None:
        if event.character is None or not event.character.isdigit():
            return
        legal = self.host.table.seen.legal_actions()
        if event.character in map(self.settings.game.action_name, legal):
            self.play(event.character)

    @on(Input.Changed)
    def narrow(self, event: Input.Changed) -> None:
        """What is typed narrows the list down."""
        self.moves.narrow(event.value.strip())

    def _play_typed(self) -> None:
        """Play what was typed; without a board, the only move left in the list."""
        text = self.typed.value.strip()
        self.moves.narrow(text)
        left = self.moves.shown
        self.action_leave()
        if text:
            self.play(left[0] if len(left) == 1 and self.place.view is None else text)

    def action_type(self) -> None:
        """Let the person type a move."""
        self.typed.open()

    def action_leave(self) -> None:
        """Back to the board, with nothing typed and nothing picked."""
        self.typed.shut()
        if self.place.picking.picked:
            self.place.picking.clear()
            self._say("")
        if self.place.view is not None:
            self.place.view.refresh()
        self._list()
        self._focus()

    def action_undo(self) -> None:
        """Take back."""
        self._try(self.host.undo)

    def action_redo(self) -> None:
        """Play again what was taken back."""
        self._try(self.host.redo)

    def action_hint(self) -> None:
        """Suggest a move."""
        table = self.host.table
        if table.over or table.mover not in table.people:
            self._say("A hint is for a person who is to move.", "alert")
            return
        self._say("Looking for a good move ...")
        self.host.hint()

    def action_analysis(self) -> None:
        """Search while people think, or no longer."""
        self.host.analysing = not self.host.analysing
        said = "Analysis is " + ("on." if self.host.analysing else "off.")
        if self.host.program_wanted:
            self._say(said)
        else:
            self.host.thought = None
            self._changed(said)

    def action_hurry(self) -> None:
        """Have the program move with the best it has."""
        self.host.thinker.hurry()

    def action_pause(self) -> None:
        """Stop programs that play each other, or let them go on."""
        self.host.pause()
        self._changed()

    def action_step(self) -> None:
        """One move of programs that play each other."""
        self.host.step()
        self._say("")

    def action_resign(self) -> None:
        """Give up, when it was asked for twice."""
        table = self.host.table
        if table.over or self._giving_up == table.version:
            self._try(self.host.resign)
        else:
            self._giving_up = table.version
            self._say("Give up? g again does.")

    def action_new(self) -> None:
        """Begin again."""
        self._try(self.host.new_game)

    def action_swap(self) -> None:
        """Everybody takes the next seat."""
        self._try(self.host.swap)

    def action_light(self) -> None:
        """Light or dark."""
        light = self.theme == "textual-light"
        self.theme = "textual-dark" if light else "textual-light"
        self.side.palette = self._colors
        self._show()

    def action_help(self) -> None:
        self.push_screen(HelpScreen())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys for watching are shown only then."""
        if action in ("pause", "step"):
            return self.host.watched
        if action == "hint":
            return not self.host.watched
        return True
