// The page: one game, what is shown of it, and what the buttons do.

import { heatOf, showAnalysis, showLine } from "./analysis.js";
import { Board } from "./board.js";
import { $, percent } from "./dom.js";
import { addressOf, openFiles, readAddress } from "./files.js";
import { showMoves } from "./moves.js";
import { markGame, showGames } from "./games.js";
import { Live, get, post } from "./net.js";
import { styleOf } from "./pieces.js";
import { openOptions } from "./options.js";
import { seatLabel, showClocks, showEnd, showSeats, statusOf } from "./seats.js";
import { TreeView } from "./tree.js";

const SECONDS = 10;
let games = [];
let view = null; // the game as it stands
let shown = null; // the position on the board: view.board, or an earlier one
let live = null;
let cells = {}; // where the moves are, by name
let since = 0; // when `view` came
let thought = null; // of the position on the board
let analysing = false, asking = false, hint = null, line = [], called = 0;

const board = new Board($("board"), { play, hover: (move) => hoverMove(move) });
const tree = new TreeView((path) => live.say("tree", { path }), (seat) => (seat < 0 ? "" : seatLabel(view, seat)));

// -- the game ------------------------------------------------------------------------

async function begin(wanted) {
  open(await post("tables", wanted));
}

async function open(first) {
  live?.close();
  view = null;
  cells = {};
  thought = null;
  $("advice").textContent = "";
  take(first);
  live = new Live(first.id, { hear, ready: think, lost: () => complain("The server is away; trying again..."), gone: () => restore(first.id) });
  cells = await get(`tables/${first.id}/cells`).catch(() => ({}));
}

// The server has forgotten the game: begin it again from its moves.
async function restore(id) {
  if (view?.id !== id) return;
  const { game, players, seconds, moves } = view;
  await attempt(() => begin({ game, players, seconds, moves }));
}

const said = (state) => JSON.stringify({ ...state, clocks: null });

function take(state) {
  if (view && (state.id !== view.id || state.version < view.version)) return;
  if (view && said(state) === said(view)) return; // by the socket, and as the answer
  const moved = !view || state.version !== view.version;
  const following = !view || shown.ply === view.board.ply || state.board.ply < shown.ply;
  view = state;
  since = performance.now();
  if (following) shown = view.board;
  if (moved) {
    hint = null;
    line = [];
    complain("");
    history.replaceState(null, "", addressOf(view, true));
    if (following) think();
  }
  draw();
}

function hear(type, message) {
  if (type === "state") return take(message);
  if (!view) return undefined;
  if (type === "values") view.values = message.values;
  else if (type === "analysis" || type === "thinking") return hearThought(type, message);
  else if (type === "hint") hearHint(message);
  else if (type === "why") $("advice").textContent = message.text;
  else if (type === "tree") return tree.show(message);
  else if (type === "error") complain(message.message);
  else if (type === "review") $("review").disabled = false;
  if (type === "values" || type === "review") showMoves(view, shown.ply, look);
  return undefined;
}

function hearThought(type, message) {
  if (message.preparing) {
    if (analysing && !thought) showAnalysis(view, message, handlers);
    return;
  }
  if (!analysing || message.ply !== shown.ply) return;
  const first = thought === null;
  if (type === "thinking" && message.done) return;
  thought = message;
  drawThought();
  if (first || message.done) tree.restart();
  $("more").disabled = !message.done || Boolean(message.proven);
}

function hearHint(message) {
  if (message.ply !== view.board.ply) return;
  hint = message.move;
  $("advice").textContent = `Hint: ${message.move}. It wins ${percent(message.win_rate)} of the points`
    + `${message.proven ? ` (proven ${message.proven})` : ""}; expected: ${message.line.slice(0, 6).join(" ")}.`;
  think();
  draw();
}

// -- what is shown ---------------------------------------------------------------------

const atEnd = () => shown.ply === view.board.ply;
const entryOf = () => games.find((each) => each.spec === view.game) ?? games.find((each) => each.spec === view.game.split(":")[0]);
const canPlay = () => atEnd() && !view.outcome && view.players[view.board.to_move] === "human";

function draw() {
  document.body.dataset.style = styleOf(view);
  document.title = `${view.title} - Playout`;
  showSeats(view, entryOf(), changeSeat);
  showEnd(view, (players) => attempt(() => begin({ game: view.game, seconds: view.seconds, players })));
  const status = atEnd() ? statusOf(view) : `After move ${shown.ply} of ${view.moves.length}`;
  if ($("status").textContent !== status) $("status").textContent = status;
  $("caption").textContent = shown.caption;
  showMoves(view, shown.ply, look);
  showButtons();
  drawBoard();
  drawThought();
  markGame(view.game);
}

function drawBoard() {
  const heat = analysing && $("heat").checked && thought?.ply === shown.ply ? heatOf(thought) : [];
  board.show(view, shown, { canPlay: canPlay() || asking, heat, hint: atEnd() ? hint : null, line });
}

const handlers = {
  hover: (moves) => { showLine(moves); line = moves ? placed(moves) : []; drawBoard(); },
  why: (move) => askWhy(move),
};

function drawThought() {
  showAnalysis(view, analysing ? thought : null, handlers);
  if (thought) drawBoard();
}

function showButtons() {
  const people = view.players.filter((spec) => spec === "human").length;
  const two = view.players.length === 2;
  $("undo").disabled = view.moves.length === 0;
  $("redo").disabled = view.redo === 0;
  $("hint").disabled = !canPlay();
  $("resign").disabled = people === 0 || Boolean(view.outcome);
  $("swap").hidden = !two;
  $("hurry").hidden = view.busy !== "thinking" || view.seconds < 2;
  $("watching").hidden = people > 0;
  $("pause").textContent = view.playing ? "Pause" : "Play";
  $("step").disabled = view.playing;
  $("analyse").disabled = Boolean(shown.to_move === null);
  $("why").disabled = $("analyse").disabled;
}

// The cells of a line of moves, as ghosts; stones that fall lie on each other.
function placed(moves) {
  const heights = {};
  const players = view.players.length;
  return moves.slice(0, 9).map((move, index) => {
    const place = cells[move];
    if (!place) return null;
    let [row, column] = place;
    if (row < 0) {
      const free = shown.cells.filter((text) => text[column] === ".").length;
      heights[column] = (heights[column] ?? 0) + 1;
      row = (shown.legal.find(([, , c]) => c === column)?.[1] ?? free - 1) + 1 - heights[column];
    }
    return { cell: [row, column], player: (shown.to_move + index) % players };
  }).filter((ghost) => ghost !== null && ghost.cell[0] >= 0);
}

function complain(text) {
  $("message").textContent = text;
  $("message").hidden = !text;
}

async function attempt(work) {
  try {
    complain("");
    return await work();
  } catch (error) {
    complain(error.message);
    return undefined;
  }
}

// -- playing ---------------------------------------------------------------------------

async function play(move) {
  if (asking && move !== undefined) return askWhy(move);
  if (move === undefined || !canPlay()) return undefined;
  return attempt(async () => take(await post(`tables/${view.id}/moves`, { move, ply: view.board.ply })));
}

const command = (name, body = {}) => attempt(async () => take(await post(`tables/${view.id}/${name}`, body)));

function changeSeat(seat, spec) {
  const players = view.players.map((each, index) => (index === seat ? spec : each));
  return command("players", { players });
}

async function look(ply) {
  ply = Math.max(0, Math.min(view.moves.length, ply));
  shown = ply === view.board.ply ? view.board
    : (await attempt(() => get(`tables/${view.id}/positions/${ply}`))) ?? view.board;
  line = [];
  think();
  draw();
}

// -- analysis --------------------------------------------------------------------------

function think() {
  thought = thought?.ply === shown.ply && atEnd() ? thought : null;
  tree.clear();
  $("more").disabled = true;
  if (!analysing || !live || shown.to_move === null) return;
  const program = atEnd() && view.players[shown.to_move] !== "human" && (view.playing || view.players.includes("human"));
  if (!program) live.say("analyse", { ply: shown.ply, seconds: SECONDS });
}

function setAnalysing(on) {
  analysing = on;
  $("analyse").setAttribute("aria-pressed", String(on));
  $("analyse").textContent = on ? "Stop analysing" : "Analyse";
  if (!on) {
    thought = null;
    live.say("stop");
  }
  think();
  draw();
}

function setAsking(on) {
  asking = on;
  $("why").setAttribute("aria-pressed", String(on));
  if (on) $("advice").textContent = "Choose a move on the board, and the search tells what is wrong with it.";
  drawBoard();
}

function askWhy(move) {
  setAsking(false);
  $("advice").textContent = `Looking at ${move}...`;
  live.say("why", { ply: shown.ply, move });
}

function hoverMove(move) {
  if (!analysing || !thought?.actions) return;
  const row = thought.actions.find((each) => each.move === move);
  showLine(row?.line.length ? row.line : null);
}

// -- buttons and keys ------------------------------------------------------------------

function wire() {
  const on = (id, work) => $(id).addEventListener("click", work);
  on("new", () => attempt(() => begin({ game: view.game, players: view.players, seconds: view.seconds })));
  on("undo", () => command("undo"));
  on("redo", () => command("redo"));
  on("resign", () => command("resign"));
  on("swap", () => command("players", { players: [...view.players].reverse() }));
  on("hint", () => { $("advice").textContent = "Looking for a good move..."; live.say("hint"); });
  on("hurry", () => live.say("hurry"));
  on("pause", () => live.say("watch", { playing: !view.playing, delay: Number($("delay").value) }));
  on("step", () => live.say("watch", { playing: false, steps: 1, delay: 0 }));
  $("delay").addEventListener("change", () => live.say("watch", { playing: view.playing, delay: Number($("delay").value) }));
  on("first", () => look(0));
  on("back", () => look(shown.ply - 1));
  on("forward", () => look(shown.ply + 1));
  on("last", () => look(view.moves.length));
  on("from-here", () => command("back", { ply: shown.ply }));
  on("review", () => { $("review").disabled = true; live.say("review"); });
  on("analyse", () => setAnalysing(!analysing));
  on("more", () => { $("more").disabled = true; live.say("analyse", { ply: shown.ply, seconds: SECONDS }); });
  on("why", () => setAsking(!asking));
  $("heat").addEventListener("change", drawBoard);
  on("open-options", () => openOptions(games, view, begin));
  on("open-files", () => attempt(() => openFiles(view, ({ game, moves }) =>
    begin({ game, moves, seconds: view.seconds, players: game.split(":")[0] === view.game.split(":")[0] ? view.players : undefined }))));
  on("theme", changeTheme);
  document.addEventListener("keydown", key);
}

function key(event) {
  if (!view || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest("input, select, textarea")) return;
  if (event.key === "Escape") setAsking(false);
  else if (shown.drops && /^[1-9]$/.test(event.key)) play(shown.legal.find(([name]) => name === event.key)?.[0]);
  else if (!shown.cells.length && /^Arrow/.test(event.key)) play(shown.legal.find(([name]) => `Arrow${name}`.toLowerCase() === event.key.toLowerCase())?.[0]);
  else if (event.key === "ArrowLeft" && !event.target.closest("#board")) look(shown.ply - 1);
  else if (event.key === "ArrowRight" && !event.target.closest("#board")) look(shown.ply + 1);
  else return;
  event.preventDefault();
}

function changeTheme() {
  const dark = document.documentElement.dataset.theme === "dark"
    || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  setTheme(dark ? "light" : "dark");
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  try { localStorage.setItem("theme", theme); } catch { /* not kept, then */ }
}

function tick() {
  if (!view) return;
  const left = showClocks(view, since);
  const seat = view.board.to_move;
  if (!view.outcome && view.players[seat] === "human" && left[seat] <= 0 && performance.now() - called > 1000) {
    called = performance.now();
    command("time");
  }
}

async function start() {
  try { const theme = localStorage.getItem("theme"); if (theme) setTheme(theme); } catch { /* none */ }
  wire();
  setInterval(tick, 200);
  const asked = readAddress();
  const listed = get("games").then((found) => { games = found; });
  const known = asked?.id ? await get(`tables/${asked.id}`).catch(() => null) : null;
  await attempt(async () => (known ? open(known) : begin(asked?.wanted ?? await get("start"))));
  const problem = $("message").textContent;
  if (!view) await attempt(async () => begin(await get("start")));
  await listed;
  showGames(games, () => view, (entry, players) =>
    attempt(() => begin({ game: entry.spec, seconds: view.seconds, players })));
  if (view) draw();
  if (problem) complain(problem);
}

start();
