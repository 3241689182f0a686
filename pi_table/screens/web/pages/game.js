// Facts about the games that the board and the phones need: cells, seats, and names.

export const COLUMNS = "ABCDE";
export const ROWS = "12345";
/** The names of the cells, in the order in which the operatives read them. */
export const CELLS = [...ROWS].flatMap((row) => [...COLUMNS].map((column) => column + row));
/** The cell that has no card in Alias 24. */
export const NUKE_CELL = "C3";

export const TEAMS = ["red", "blue"];
const OTHER = { red: "blue", blue: "red" };
export const otherTeam = (team) => OTHER[team];

export const AGENTS = ["agent-1", "agent-2", "agent-3", "agent-4", "agent-5", "agent-6"];
/** The cell of each agent. */
export const AGENT_CELLS = ["A1", "C1", "E1", "A5", "C5", "E5"];

/** The nickname of the agent in a seat. */
export function nickname(view, seat) {
  return view.agents[AGENTS.indexOf(seat)].nickname;
}

/** True if a team must find the other team's cards, as in Alias 24. */
export const isHostile = (view) => view.nuke !== undefined;

const IDENTITIES = { r: "red", b: "blue", n: "bystander", a: "assassin" };
const OF_HOSTILE = { ...IDENTITIES, n: "decoy", a: "nuke" };

/** The identity for a letter of a key; null if the cell has no card. */
export function identityOf(letter, hostile) {
  return (hostile ? OF_HOSTILE : IDENTITIES)[letter] || null;
}

/** The name of an identity in the viewer's language. `t` is the function of texts.js. */
export function identityName(identity, hostile, t) {
  const isAsset = hostile && TEAMS.includes(identity);
  return t(isAsset ? `asset-${identity}` : `identity-${identity}`);
}

/** The name of the text that describes the state of the nuke. It is shown on the cell without a card. */
export function nukeWords({ mode, armed }) {
  return mode === "basic" ? "nuke-basic" : armed ? "armed" : "not-armed";
}

/** The number of a clue, as text. */
export const numberWords = (number) => (number === "unlimited" ? "∞" : String(number));
