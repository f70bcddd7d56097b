// The page's questions to the search and their answers: analysis, hints, why not this
// move, a review. The server answers one at a time; an analysis then goes on.

import { heatOf, showAnalysis } from "./analysis.js";
import { $, percent } from "./dom.js";
import { seatLabel } from "./seats.js";
import { TreeView } from "./tree.js";

const SECONDS = 10; // of an analysis
const CHOOSE = "Choose a move on the board, and the search tells what is wrong with it.";

// Whether a search is over, and not because something else was asked for.
const endedByItself = (thought) => Boolean(thought?.done) && thought.stopped_by !== "callback";

export class Study {
  // now() is {view, shown, atEnd}, the game and the position on the board; say(type,
  // message) tells the server; drawBoard() and draw() show what has changed.
  constructor({ now, say, drawBoard, draw }) {
    Object.assign(this, { now, say, drawBoard, draw });
    this.thought = null; // of the position on the board
    this.hint = null; // a move
    this.pointed = null; // the move under the pointer: {move, inTable}
    this.waiting = ""; // "hint" or "why" while one is looked for
    this.analysing = this.asking = false;
    this.running = false; // whether a search is under way; `analysing`, whether any is shown
    this.at = -1; // the position that is analysed, by its number of moves
    this.handlers = {
      hover: (move) => this.point(move ? { move, inTable: true } : null),
      why: (move) => this.askWhy(move),
    };
    const who = (seat) => (seat < 0 ? "" : seatLabel(now().view, seat));
    this.tree = new TreeView((path) => say("tree", { path }), who);
    this.wire();
  }

  wire() {
    const on = (id, work) => $(id).addEventListener("click", work);
    on("hint", () => {
      this.advise("Looking for a good move...", "hint");
      this.say("hint");
    });
    on("review", () => {
      this.setReviewing(true);
      this.say("review");
    });
    on("analyse", () => (this.running ? this.leave() : this.enter()));
    on("more", () => this.ask());
    on("why", () => this.setAsking(!this.asking));
    $("heat").addEventListener("change", () => this.drawBoard());
  }

  // -- what happens to the game --------------------------------------------------------

  // Another game is on the board.
  begin() {
    this.thought = null;
    this.drop();
    this.advise("");
  }

  // Moves were made or taken back.
  moved() {
    this.hint = this.pointed = null;
    if (!this.waiting) this.advise("");
    if (this.asking) this.setAsking(false);
  }

  // Nothing that was asked for will be answered: the server is away.
  drop() {
    if (this.waiting) this.advise("");
    this.setReviewing(false);
  }

  // Search the position on the board, unless that has been done or a program does anyway.
  think() {
    const { view, shown, atEnd } = this.now();
    this.thought = this.thought?.ply === shown.ply && atEnd ? this.thought : null;
    if (this.analysing && this.at !== shown.ply && !$("follow").checked) return this.leave();
    if (this.analysing && endedByItself(this.thought)) return undefined;
    this.tree.clear();
    this.setRunning(false);
    $("more").disabled = true;
    if (!this.analysing || shown.to_move === null) return undefined;
    const person = view.players[shown.to_move] === "human";
    const program = atEnd && !person && (view.playing || view.players.includes("human"));
    if (!program) this.ask();
    else this.setRunning(true); // its thoughts are shown
    this.at = shown.ply;
    return undefined;
  }

  ask() {
    this.setRunning(true);
    $("more").disabled = true;
    this.say("analyse", { ply: this.now().shown.ply, seconds: SECONDS });
  }

  // -- what is heard -------------------------------------------------------------------

  hear(type, message) {
    if (message.stopped) this.end(type);
    else if (type === "hint") this.hearHint(message);
    else if (type === "why") this.hearWhy(message);
    else if (type === "review") this.hearReview();
    else if (type === "tree") this.tree.show(message);
    else this.hearThought(type, message);
  }

  // A question is over: nothing waits for its answer any more.
  end(kind) {
    if (kind === this.waiting) this.advise("");
    if (kind === "review") this.setReviewing(false);
    if (kind === "analysis") this.setRunning(false);
    if (kind === "analysis" && this.analysing) $("more").disabled = false;
    if (kind === "analysis" && !this.thought) showAnalysis(this.now().view, null);
  }

  hearThought(type, message) {
    const { view, shown } = this.now();
    if (!this.analysing) return;
    if (message.preparing) {
      this.setRunning(true);
      if (!this.thought) showAnalysis(view, message, null, this.handlers);
      return;
    }
    if (message.ply !== shown.ply || (type === "thinking" && message.done)) return;
    const first = this.thought === null;
    this.thought = message;
    this.setRunning(!message.done);
    this.show();
    if (first || message.done) this.tree.restart();
    $("more").disabled = !message.done || Boolean(message.proven);
  }

  hearHint({ ply, move, comment, win_rate, shown, proven, line }) {
    if (ply === this.now().view.board.ply) {
      this.hint = move;
      const worth = shown ? `is worth ${shown}` : `wins ${percent(win_rate)} of the points`;
      // What a book knows needs no search, and has a remark.
      this.advise(comment ? `Hint: ${move} (${comment}).` : `Hint: ${move}. It ${worth}`
        + `${proven ? ` (proven ${proven})` : ""}; expected: ${line.slice(0, 6).join(" ")}.`);
    } else this.end("hint");
    this.think();
    this.draw();
  }

  hearWhy({ text }) {
    this.advise(text);
    this.think();
  }

  setReviewing(on) {
    $("review").disabled = on;
    $("review").textContent = on ? "Reviewing the game..." : "Review the game";
  }

  hearReview() {
    this.end("review");
    const { view } = this.now();
    if (Object.keys(view.values).length < 2) this.advise("The review was too short to say how these moves were.");
    this.think();
  }

  // -- what is shown -------------------------------------------------------------------

  // Show a sentence about the position; kind: the answer that it is waiting for, if any.
  advise(text, kind = "") {
    this.waiting = kind;
    $("advice").textContent = text;
  }

  // The numbers, and what they add to the board.
  show() {
    const line = this.pointed && this.lineOf(this.pointed.move);
    showAnalysis(this.now().view, this.analysing ? this.thought : null, line, this.handlers);
    if (this.thought) this.drawBoard();
  }

  point(where) {
    this.pointed = where;
    if (this.analysing && this.thought) this.show();
  }

  // A move and the moves expected after it; null where it was not tried.
  lineOf(move) {
    const row = this.thought?.actions?.find((each) => each.move === move);
    return row ? (row.line.length ? row.line : [move]) : null;
  }

  // The line to draw on the board: that of the move pointed at in the table.
  get line() {
    return (this.pointed?.inTable && this.lineOf(this.pointed.move)) || [];
  }

  // How good the moves are, to be drawn on the board.
  get heat() {
    const fits = this.thought?.ply === this.now().shown.ply;
    return this.analysing && $("heat").checked && fits ? heatOf(this.thought) : [];
  }

  // -- what is asked -------------------------------------------------------------------

  // Show an analysis of the position on the board, or go on with one that has ended.
  enter() {
    this.analysing = true;
    if (endedByItself(this.thought)) this.ask();
    else this.think();
    this.draw();
  }

  // End the analysis, and show none any more.
  leave() {
    this.analysing = false;
    this.thought = null;
    this.say("stop");
    this.think();
    this.draw();
  }

  // The button says what it does now.
  setRunning(on) {
    this.running = on;
    $("analyse").setAttribute("aria-pressed", String(on));
    $("analyse").textContent = on ? "Stop analysing" : "Analyse";
  }

  setAsking(on) {
    this.asking = on;
    $("why").setAttribute("aria-pressed", String(on));
    if (on) this.advise(CHOOSE);
    else if ($("advice").textContent === CHOOSE) this.advise("");
    this.drawBoard();
  }

  askWhy(move) {
    this.setAsking(false);
    this.advise(`Looking at ${move}...`, "why");
    this.say("why", { ply: this.now().shown.ply, move });
  }
}
