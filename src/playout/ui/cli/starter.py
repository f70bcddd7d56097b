"""The text of a new game: rules that work, to be replaced by one's own."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Starter"]

_NAMES = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth")

_NEXT_PLAYER = "state.player = (state.player + 1) % PLAYERS"


@dataclass(frozen=True)
class Starter:
    """What a game begins with.

    Attributes:
        module: the name of its file, without `.py`.
        players: how many it is for, 1 to 8.
        chance: whether chance moves.
        hidden: whether players keep something from each other.
    """

    module: str
    players: int = 2
    chance: bool = False
    hidden: bool = False

    @property
    def name(self) -> str:
        """The class.

        >>> Starter("my_game").name
        'MyGame'
        """
        return "".join(word[:1].upper() + word[1:] for word in self.module.split("_"))

    @property
    def rules(self) -> str:
        """The file of rules."""
        parts = (self._head(), self._fields(), self._state(), self._moves())
        return "".join(parts) + self._chance() + self._hidden() + self._words()

    @property
    def tests(self) -> str:
        """The file of tests, for pytest."""
        return f'''"""Tests of the rules: run `pytest test_{self.module}.py`."""

from playout import MCTS, Limit, Position, check_game, random_play

from {self.module} import {self.name}


def test_the_laws_hold():
    """As `playout check` does; says which law is broken, and after which moves."""
    check_game({self.name}(), games=10)


def test_games_end():
    played = random_play({self.name}(), games=100)
    assert played.mean_plies <= {self.name}().max_game_length()


def test_moves_are_read_as_they_are_written():
    position = Position({self.name}())
    game = position.game
    for action in position.legal_actions():
        assert game.parse_action(game.action_name(action)) == action


def test_the_search_plays():
    game = {self.name}(heaps=2, size=2)
    found = MCTS(game, seed=1).search(limit=Limit(simulations=100))
    assert found.action in Position(game).legal_actions()
'''

    @property
    def _alone(self) -> bool:
        return self.players == 1

    @property
    def _first_guess(self) -> str:
        """The action that guesses the first heap; before it come takes and the coin."""
        return "self.takes() + 2" if self.chance else "self.takes()"

    def _head(self) -> str:
        goal = "in as few moves as you can" if self._alone else "the last stone wins"
        quoted = [f'"{name}"' for name in self._names()]
        names = ", ".join(quoted) + "," * self._alone
        if self.players > 4:  # on lines of their own
            names = "".join(f"\n        {name}," for name in quoted) + "\n    "
        needed = ["Game", *(["CHANCE"] if self.chance else [])]
        imports = ", ".join(sorted(needed))
        unknown = (
            "#: What stands for a guess that a player has not seen.\nUNKNOWN = -1\n"
        )
        again = "#: How likely the coin gives another move.\nAGAIN = 0.25\n"
        return f'''"""{self.name}: rules to begin with. Write your own in their place.

    playout check {self.module}.py:{self.name}     are the rules sound?
    playout play {self.module}.py:{self.name}      play; --web plays in the browser
    pytest test_{self.module}.py

Docs: `docs/your-own-game.md`; `help(playout.Game)` says what each method must do.
"""

from dataclasses import dataclass

import numpy as np

from playout import {imports}

#: So many stones may be taken at once.
MOST = 3
PLAYERS = {self.players}
{again if self.chance else ""}{unknown if self.hidden else ""}

@dataclass(frozen=True)
class {self.name}(Game):
    """Take one to three stones from a heap: {goal}."""

    title = "{self.name}"
    player_names = ({names})
'''

    def _names(self) -> tuple[str, ...]:
        return ("You",) if self._alone else _NAMES[: self.players]

    def _fields(self) -> str:
        flags = [
            ("zero_sum = False  # returns need not add up to 0", self._alone),
            ("has_chance = True", self.chance),
            ("has_hidden = True", self.hidden),
        ]
        lines = "".join(f"    {line}\n" for line, wanted in flags if wanted)
        return f'''{lines}
    # Parameters, as in {self.module}.py:{self.name}:heaps=4
    heaps: int = 3
    size: int = 5

    def num_players(self):
        return PLAYERS

    def takes(self):
        """How many actions take stones; the other actions are numbered after them."""
        return MOST * self.heaps

    def num_actions(self):
        # Actions are 0 .. num_actions() - 1; which number means what is up to you.
        return {self._num_actions()}

    def max_game_length(self):
        # An upper bound; every move takes a stone.
        return {self._longest()}
'''

    def _num_actions(self) -> str:
        more = " + 2" * self.chance + " + self.heaps" * self.hidden
        return "self.takes()" + more

    def _longest(self) -> str:
        moves = "2 * " * self.chance + "self.heaps * self.size"
        return moves + " + PLAYERS" * self.hidden

    def _state(self) -> str:
        fields = ['("stones", "i1", (self.heaps,)),  # an array', '("player", "i1"),']
        fields += ['("winner", "i1"),  # who took the last stone'] * (not self._alone)
        fields += ['("moves", "i2"),'] * self._alone
        fields += ['("tossing", "i1"),  # whether the coin is in the air'] * self.chance
        if self.hidden:
            fields += ['("guesses", "i1", (PLAYERS,)),  # 0 before, then heap + 1']
            fields += ['("guessed", "i1"),  # how many have guessed', '("last", "i1"),']
        lines = "\n".join(f"                {field}" for field in fields)
        winner = "" if self._alone else "        state.winner = -1\n"
        return f"""
    def state_dtype(self):
        # All that changes in a game: numbers, and arrays of numbers.
        return np.dtype(
            [
{lines}
            ]
        )

    def initial_state(self, state):
        # Everything is 0 before.
        for heap in range(self.heaps):
            state.stones[heap] = self.size
{winner}
    def is_terminal(self, state):
        for heap in range(self.heaps):
            if state.stones[heap] > 0:
                return False
        return True
"""

    def _moves(self) -> str:
        return f'''
    def current_player(self, state):
{self._case("state.tossing == 1", "return CHANCE", self.chance)}\
{self._case("state.guessed < PLAYERS", "return state.guessed", self.hidden)}\
        return state.player

    def legal_actions(self, state, actions):
        # Write them in ascending order, and return how many there are.
        count = 0
{self._other_actions()}\
        for heap in range(self.heaps):
            for take in range(1, min(MOST, state.stones[heap]) + 1):
                actions[count] = MOST * heap + take - 1
                count += 1
        return count

    def apply(self, state, action):
        # Change the state in place; only legal actions come here.
{self._other_applied()}\
        heap = action // MOST
        state.stones[heap] -= action % MOST + 1
{"        state.last = heap" + chr(10) if self.hidden else ""}\
{self._after_take()}
    def pass_on(self, state):
        """A move is over."""
        {"state.moves += 1" if self._alone else _NEXT_PLAYER}

    def returns(self, state, player):
        # What the player gets in the end, in [-1, 1].
{self._returns()}'''

    @staticmethod
    def _case(condition: str, then: str, wanted: bool) -> str:
        return f"        if {condition}:\n            {then}\n" if wanted else ""

    def _other_actions(self) -> str:
        text = ""
        if self.chance:
            text += """        if state.tossing == 1:  # the coin has two sides
            actions[0] = self.takes()
            actions[1] = self.takes() + 1
            return 2
"""
        if self.hidden:
            text += f"""        if state.guessed < PLAYERS:
            for heap in range(self.heaps):
                actions[heap] = {self._first_guess} + heap
            return self.heaps
"""
        return text

    def _other_applied(self) -> str:
        text = ""
        if self.hidden:
            first = self._first_guess
            text += f"""        if action >= {first}:
            state.guesses[state.guessed] = action - ({first}) + 1
            state.guessed += 1
            return
"""
        if self.chance:
            text += """        if action >= self.takes():
            state.tossing = 0
            if action > self.takes():
                self.pass_on(state)
            return
"""
        return text

    def _after_take(self) -> str:
        if self._alone:
            over = "state.moves += 1"
        else:
            over = "state.winner = state.player"
        if self.chance:
            on = "state.tossing = 1"
        else:
            on = "self.pass_on(state)"
        return f"""        if self.is_terminal(state):
            {over}
        else:
            {on}
"""

    def _returns(self) -> str:
        if self._alone:
            return """        return 1.0 - 2.0 * state.moves / (self.heaps * self.size)
"""
        if not self.hidden:
            return """\
        # Whoever has not won pays a share.
        return 1.0 if state.winner == player else -1.0 / (PLAYERS - 1)
"""
        return """\
        # Whoever guessed the last heap wins, or else took the last stone.
        right = 0
        for other in range(PLAYERS):
            if state.guesses[other] == state.last + 1:
                right += 1
        won = state.guesses[player] == state.last + 1
        if right == 0:
            right = 1
            won = state.winner == player
        if right == PLAYERS:
            return 0.0
        return 1.0 / right if won else -1.0 / (PLAYERS - right)
"""

    def _chance(self) -> str:
        if not self.chance:
            return ""
        return """
    def chance_probability(self, state, action):
        # Of an outcome; together they are 1.
        return AGAIN if action == self.takes() else 1.0 - AGAIN
"""

    def _hidden(self) -> str:
        if not self.hidden:
            return ""
        return """
    def hide(self, state, player):
        # Write over what this player does not know.
        for other in range(PLAYERS):
            if other != player and state.guesses[other] != 0:
                state.guesses[other] = UNKNOWN

    def determinize(self, state, player, rng):
        # Draw what this player does not know, as it may be.
        for other in range(PLAYERS):
            if other != player and state.guesses[other] != 0:
                state.guesses[other] = 1 + rng.below(self.heaps)
"""

    def _words(self) -> str:
        first = self._first_guess
        coin = """        if action in (self.takes(), self.takes() + 1):
            return ("again", "next")[action - self.takes()]
"""
        guess = f"""        if action >= {first}:
            return f"guess-{{'abcdefgh'[action - ({first})]}}"
"""
        return f"""
    # What follows is for people and never compiled: any Python will do.

    def action_name(self, action):
{guess if self.hidden else ""}{coin if self.chance else ""}\
        return f"{{'abcdefgh'[action // MOST]}}{{action % MOST + 1}}"

    def render(self, state, last_action=None, color=False):
        return "\\n".join(
            f"{{'abcdefgh'[heap]}} {{'o' * state.stones[heap]}}"
            for heap in range(self.heaps)
        )
"""
