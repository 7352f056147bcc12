// A bot for Node without any package: node bot.js HOST PORT
const net = require("node:net");
const readline = require("node:readline");

function choose(request) {
  const liked = request.options.findIndex((option) => /^(load|pirate|contract|lead:load|lead:contract)/.test(option));
  return liked >= 0 ? liked : request.default;
}

const socket = net.connect(Number(process.argv[3]), process.argv[2]);
const send = (message) => socket.write(JSON.stringify(message) + "\n");

const answers = {
  welcome: () => send({ type: "join", wanted: { seats: 2, fill: ["random"] } }),
  start: (message) => send({ type: "ready", game: message.game }),
  request: (message) => send({ type: "move", game: message.game, id: message.id, choice: choose(message) }),
  error: (message) => console.error(message.text),
  end: (message) => {
    console.log(`${message.why}: places ${message.places}, credits ${message.credits}`);
    send({ type: "bye" });
  },
};

socket.on("error", (error) => { console.error(error.message); process.exitCode = 1; });
socket.on("connect", () => send({ type: "hello", protocol: "1.0", name: "node" }));
readline.createInterface({ input: socket }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type in answers) answers[message.type](message);
});
