// The page: one game, what is shown of it, and what the buttons do.

import { Board } from "./board.js";
import { Choices } from "./choices.js";
import { $ } from "./dom.js";
import { addressOf, openFiles, readAddress, wantedOf } from "./files.js";
import { markGame, showGames } from "./games.js";
import { ghostsOf } from "./ghosts.js";
import { placeOf, showMoves } from "./moves.js";
import { Live, get, post } from "./net.js";
import { openOptions } from "./options.js";
import { styleOf } from "./pieces.js";
import { nameOf, seatLabel, showClocks, showEnd, showSeats, statusOf } from "./seats.js";
import { Study } from "./study.js";
import { changeTheme, restoreTheme } from "./theme.js";

const AGAIN = 2000; // milliseconds until a failed restore is tried again
let games = [];
let view = null; // the game as it stands
let shown = null; // the position on the board: view.board, or an earlier one
let live = null;
let cells = {}; // where the moves are, by name
let since = 0; // when `view` came
let called = 0; // when the server was last told that a clock had run out
let away = ""; // why the server does not answer; "" while it does
let begun = 0; // how often another game was asked for
let sent = ""; // the turn for which a move is on its way
let looking = null; // the position that look() waits for: {ply}

const study = new Study({
  now: () => ({ view, shown, atEnd: atEnd() }), say: (type, message) => live?.say(type, message), drawBoard, draw });
const board = new Board($("board"), { play, hover: (move) => study.point(move ? { move } : null),
  refuse: () => complain("This cell cannot be played now.") });
const choices = new Choices(play);

// -- the game ------------------------------------------------------------------------

// The game that the browser's address names; the address itself where the game has no id yet.
const addressed = () => readAddress()?.id ?? location.href;

function writeAddress() {
  if (view) history.replaceState(null, "", addressOf(view, true));
}

// Another game is asked for. Gives the question whether its answer is still wanted: not if one
// more has been asked for, or the browser has gone to another, which `follow` will hear of.
function askForGame() {
  const number = ++begun, from = addressed();
  return () => number === begun && addressed() === from;
}

// Begin a game; the browser's way back leads to the one before. Of several requests only
// the last one's answer is shown, whichever order the answers come in.
async function begin(wanted, push = true, isWanted = askForGame()) {
  const first = await post("tables", wanted);
  if (!isWanted()) return;
  if (push) history.pushState(null, "", location.href); // the new game's address takes its place
  open(first);
}

async function open(first) {
  live?.close();
  view = null;
  cells = {};
  looking = null;
  study.begin();
  take(first);
  live = new Live(first.id, { hear, ready: back, lost, gone: () => restore(first.id) });
  const found = await get(`tables/${first.id}/cells`).catch(() => ({}));
  if (view.id === first.id) cells = found;
}

function lost(reason) {
  away = reason ? `The server says: ${reason}. Trying again from time to time...` : "The server is away; trying again...";
  complain(away);
  study.drop();
}

function back() {
  if ($("message").textContent === away) complain("");
  away = "";
  study.think();
}

// The server has forgotten the game: begin it again from its moves, with full clocks
// and nothing to redo. A game with hidden moves begins anew: the page does not know them.
async function restore(id) {
  if (view?.id !== id) return;
  const { hides, base } = view;
  try {
    await begin({ ...wantedOf(view), moves: hides ? [] : view.moves, id }, false);
    if (hides) complain("The server was started again, and the moves of this game were hidden: it begins anew.");
    else if (base) complain("The server was started again: the game goes on, with full clocks.");
  } catch (error) {
    complain(error.message);
    if (!error.status) setTimeout(() => restore(id), AGAIN);
  }
}

const said = (state) => JSON.stringify({ ...state, clocks: null });

function take(state) {
  if (view && (state.id !== view.id || state.version < view.version)) return;
  if (view && said(state) === said(view)) return; // it came twice: by the socket and as an answer
  const opened = !view;
  const moved = opened || state.version !== view.version;
  const following = !view || shown.ply === view.board.ply || state.board.ply < shown.ply;
  view = state;
  since = performance.now();
  if (following) shown = view.board;
  if (moved) {
    study.moved();
    complain("");
    // The way back may lead to another game's address before that game is there.
    if (opened || readAddress()?.id === view.id) writeAddress();
    if (following) study.think();
  }
  draw();
}

// renewed: whether this is the first message of a new connection. Another page may have begun
// the game again meanwhile, which counts its versions anew.
function hear(type, message, renewed) {
  if (renewed && type === "state" && message.version < view.version) view.version = -1;
  if (type === "state") take(message);
  else if (type === "error") complain(message.message);
  else if (type === "values") {
    Object.assign(view, message);
    showMoves(view, shown.ply, look);
  } else study.hear(type, message);
}

// -- what is shown ---------------------------------------------------------------------

const atEnd = () => shown.ply === view.board.ply;
const canPlay = () => atEnd() && !view.outcome && view.players[view.board.to_move] === "human";

// Why nobody can play here now.
function refusal() {
  if (!atEnd()) return "an earlier position is shown";
  if (view.outcome) return "the game is over";
  return `it is the turn of ${nameOf(view.players[view.board.to_move])} (${seatLabel(view, view.board.to_move)})`;
}

function draw() {
  Object.assign(document.body.dataset, { style: styleOf(view), dark: view.board.dark });
  document.title = `${view.title} - Playout`;
  showSeats(view, changeSeat);
  showEnd(view, (players) => attempt(() => begin({ ...wantedOf(view), game: view.asked, players })));
  const status = atEnd() ? statusOf(view) : placeOf(view, shown.ply);
  if ($("status").textContent !== status) $("status").textContent = status;
  $("caption").textContent = shown.caption;
  showMoves(view, shown.ply, look);
  showButtons();
  drawBoard();
  study.show();
  markGame(view.game);
  document.querySelectorAll("[inert]").forEach((part) => { part.inert = false; }); // there is a game
}

function drawBoard() {
  const line = ghostsOf(study.line, shown, cells, view.players.length);
  const hint = atEnd() ? study.hint : null;
  const mayPlay = canPlay() || study.asking;
  board.show(view, shown, { canPlay: mayPlay, heat: study.heat, hint, line });
  choices.show(shown.legal.filter(([, cells]) => !cells.length).map(([name]) => name),
    { canPlay: mayPlay, hint, alone: !shown.cells.length });
}

function whyNoUndo() {
  if (view.undo) return "";
  return view.binding ? "Moves are final in a game that hides something." : "No move has been made here that could be taken back.";
}

function showButtons() {
  const people = view.players.filter((spec) => spec === "human").length;
  const two = view.players.length === 2;
  $("undo").disabled = !view.undo;
  $("undo").title = whyNoUndo();
  $("redo").disabled = view.binding || view.redo === 0;
  $("hint").disabled = !canPlay();
  $("resign").disabled = people === 0 || Boolean(view.outcome);
  $("swap").hidden = !two;
  $("hurry").hidden = view.busy !== "thinking" || view.seconds < 2;
  $("watching").hidden = people > 0 || Boolean(view.outcome);
  if (document.activeElement !== $("delay")) $("delay").value = String(view.delay);
  $("pause").textContent = view.playing ? "Pause" : "Play";
  $("step").disabled = view.playing;
  $("analyse").disabled = Boolean(shown.to_move === null);
  $("why").disabled = $("analyse").disabled;
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
  if (study.asking && move !== undefined) return study.askWhy(move);
  const turn = `${view.id} ${view.version}`;
  if (move === undefined || sent === turn) return undefined; // a second click plays nothing
  if (!canPlay()) return complain(`${move} cannot be played: ${refusal()}.`);
  sent = turn;
  await attempt(async () => take(await post(`tables/${view.id}/moves`, { move, ply: view.board.ply })));
  if (sent === turn) sent = "";
  return undefined;
}

const command = (name, body = {}) => attempt(async () => take(await post(`tables/${view.id}/${name}`, body)));

function changeSeat(seat, spec) {
  return reseat(view.players.map((each, index) => (index === seat ? spec : each)));
}

// Change the players. Where a game that hides something is under way, begin a new one.
function reseat(players) {
  if (!view.hides || !view.moves.length) return command("players", { players });
  return attempt(async () => {
    await begin({ ...wantedOf(view), players });
    complain("A game that hides something begins anew when others play it.");
  });
}

// Show the position after `ply` moves. Do nothing if, before it arrives, another position
// is asked for or these moves change.
async function look(ply) {
  ply = Math.max(0, Math.min(view.moves.length, ply));
  const asked = looking = { ply };
  const way = () => [view.id, ...view.moves.slice(0, ply)].join(" ");
  const before = way();
  const found = ply === view.board.ply ? view.board
    : (await attempt(() => get(`tables/${view.id}/positions/${ply}`))) ?? view.board;
  if (looking !== asked) return;
  looking = null;
  if (way() !== before) return;
  shown = found;
  study.pointed = null;
  study.think();
  draw();
}

const walk = (step) => look((looking ?? shown).ply + step);

// -- buttons and keys ------------------------------------------------------------------

function wire() {
  const on = (id, work) => $(id).addEventListener("click", work);
  on("new", () => attempt(() => begin({ ...wantedOf(view), game: view.asked })));
  on("undo", () => command("undo"));
  on("redo", () => command("redo"));
  on("resign", () => command("resign"));
  on("swap", () => reseat([...view.players].reverse()));
  on("hurry", () => live.say("hurry"));
  on("pause", () => live.say("watch", { playing: !view.playing, delay: Number($("delay").value) }));
  on("step", () => live.say("watch", { playing: false, steps: 1, delay: view.delay }));
  $("delay").addEventListener("change", () => live.say("watch", { playing: view.playing, delay: Number($("delay").value) }));
  on("first", () => look(0));
  on("back", () => walk(-1));
  on("forward", () => walk(1));
  on("last", () => look(view.moves.length));
  on("from-here", () => command("back", { ply: shown.ply }));
  on("open-options", () => openOptions(games, { ...view, game: view.asked }, begin));
  on("open-files", () => attempt(() => openFiles(view, ({ game, moves }) =>
    begin({ ...wantedOf(view), game, moves, players: game.split(":")[0] === view.game.split(":")[0] ? view.players : undefined }))));
  on("theme", changeTheme);
  document.addEventListener("keydown", key);
  addEventListener("hashchange", follow);
}

function key(event) {
  if (!view || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.target.closest("input, select, textarea")) return;
  if (event.key === "Escape") board.leave() || study.setAsking(false);
  else if (event.key === "m") $("typed").focus();
  else if (shown.drops && /^[1-9]$/.test(event.key)) playColumn(event.key);
  else if (!shown.cells.length && /^Arrow/.test(event.key)) play(shown.legal.find(([name]) => `Arrow${name}`.toLowerCase() === event.key.toLowerCase())?.[0]);
  else if (event.key === "ArrowLeft" && !event.target.closest("#board")) walk(-1);
  else if (event.key === "ArrowRight" && !event.target.closest("#board")) walk(1);
  else return;
  event.preventDefault();
}

function playColumn(digit) {
  const found = shown.legal.find(([name]) => name === digit);
  if (!found && canPlay()) complain(`Column ${digit} cannot be played now.`);
  else play(found?.[0]);
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

// Open the game of an address, or begin it again if the server does not know it. Where it
// cannot be begun, the address is again that of the game that is shown.
async function arrive(asked) {
  const isWanted = askForGame();
  const known = asked?.id ? await get(`tables/${asked.id}`).catch(() => null) : null;
  if (!isWanted()) return;
  await attempt(async () => (known ? open(known) : begin(asked?.wanted ?? await get("start"), false, isWanted)));
  if (isWanted()) writeAddress();
}

// Another address was given to this tab.
async function follow() {
  const asked = readAddress();
  if (asked && asked.id !== view?.id) await arrive(asked);
  else writeAddress();
}

async function start() {
  restoreTheme();
  wire();
  setInterval(tick, 200);
  const listed = get("games").then((found) => { games = found; });
  const from = addressed();
  await arrive(readAddress());
  const problem = $("message").textContent;
  if (!view && addressed() === from) await attempt(async () => begin(await get("start"), false));
  await listed;
  showGames(games, () => view, (entry, players) =>
    attempt(() => begin({ ...wantedOf(view), game: entry.spec, players })));
  if (view) draw();
  if (problem) complain(problem);
}

start();
