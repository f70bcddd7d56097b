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
  const error = new Error(typeof detail === "string" ? detail : "This is not possible.");
  error.status = answer.status;
  throw error;
}

export const get = async (path) => (await request("GET", path)).json();
export const getText = async (path) => (await request("GET", path)).text();
export const post = async (path, body) => (await request("POST", path, body)).json();

// A socket that comes back by itself until it is closed.
export class Live {
  constructor(id, { hear, ready, lost, gone }) {
    Object.assign(this, { id, hear, ready, lost, gone, closed: false, wait: 300 });
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.id}/live`);
    this.socket.onopen = () => this.ready();
    this.socket.onmessage = ({ data }) => {
      this.wait = 300;
      const { type, ...message } = JSON.parse(data);
      this.hear(type, message);
    };
    this.socket.onclose = ({ code }) => {
      if (this.closed) return;
      if (code === 4404) return this.gone();
      this.lost();
      this.timer = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(5000, this.wait * 2);
    };
  }

  say(type, message = {}) {
    if (this.socket.readyState === WebSocket.OPEN)
      this.socket.send(JSON.stringify({ type, ...message }));
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
