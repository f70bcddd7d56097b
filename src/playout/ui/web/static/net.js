// Requests and the socket of one game.

async function request(method, path, body) {
  const options = { method, headers: {} };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  let answer;
  try {
    answer = await fetch(`/api/${path}`, options);
  } catch {
    throw new Error("The server does not answer.");
  }
  if (answer.ok) return answer.status === 204 ? null : answer;
  const { detail } = await answer.json().catch(() => ({}));
  const error = new Error(detail ?? `The server answers ${answer.status} ${answer.statusText}, and says no more.`);
  error.status = answer.status;
  throw error;
}

export const get = async (path) => (await request("GET", path)).json();
export const getText = async (path) => (await request("GET", path)).text();
export const post = async (path, body) => (await request("POST", path, body)).json();

// Codes with which the server closes a socket: no such game; too many pages, or messages.
const MISSING = 4404, REFUSED = [4429, 4408];
const SOON = 300, LATER = 5000, MUCH_LATER = 15000;

// A socket that reconnects until it is closed. `hear` gets each message; `ready` is called
// after the first one of each connection.
export class Live {
  constructor(id, { hear, ready, lost, gone }) {
    Object.assign(this, { id, hear, ready, lost, gone, closed: false, wait: SOON, unsaid: [], renewed: false });
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.id}/live`);
    let silent = true;
    this.socket.onopen = () => this.unsaid.splice(0).forEach((text) => this.socket.send(text));
    this.socket.onmessage = ({ data }) => {
      if (this.closed) return;
      this.wait = SOON;
      const { type, ...message } = JSON.parse(data);
      this.hear(type, message, silent && this.renewed);
      if (silent) this.ready();
      silent = false;
    };
    this.socket.onclose = ({ code, reason }) => {
      if (this.closed) return;
      this.unsaid = [];
      this.renewed = true;
      if (code === MISSING) return this.gone();
      const refused = REFUSED.includes(code);
      this.lost(refused ? reason : "");
      this.timer = setTimeout(() => this.open(), refused ? MUCH_LATER : this.wait);
      this.wait = Math.min(LATER, this.wait * 2);
    };
  }

  // Send a message: when the socket opens if it is opening, not at all if it is closed.
  say(type, message = {}) {
    const text = JSON.stringify({ type, ...message });
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else if (this.socket.readyState === WebSocket.CONNECTING) this.unsaid.push(text);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
