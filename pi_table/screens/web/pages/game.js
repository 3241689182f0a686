// The games, as the board and the phones both know them: places, seats, and what is called how.

export const COLUMNS = "ABCDE";
export const ROWS = "12345";
/** The cells by name, as they lie before the operatives. */
export const CELLS = [...ROWS].flatMap((row) => [...COLUMNS].map((column) => column + row));
/** The cell that holds no card in Alias 24. */
export const NUKE_CELL = "C3";

export const TEAMS = ["red", "blue"];
const OTHER = { red: "blue", blue: "red" };
export const otherTeam = (team) => OTHER[team];

export const AGENTS = ["agent-1", "agent-2", "agent-3", "agent-4", "agent-5", "agent-6"];
/** Where each of them sits. */
export const AGENT_CELLS = ["A1", "C1", "E1", "A5", "C5", "E5"];

/** The nickname of the agent in a seat. */
export function nickname(view, seat) {
  return view.agents[AGENTS.indexOf(seat)].nickname;
}

/** Are words of the other team hunted, as in Alias 24? */
export const isHostile = (view) => view.nuke !== undefined;

const IDENTITIES = { r: "red", b: "blue", n: "bystander", a: "assassin" };
const OF_HOSTILE = { ...IDENTITIES, n: "decoy", a: "nuke" };

/** What a letter of a key stands for; null where the cell holds no card. */
export function identityOf(letter, hostile) {
  return (hostile ? OF_HOSTILE : IDENTITIES)[letter] ?? null;
}

/** What an identity is called, by `t` of texts.js. */
export function identityName(identity, hostile, t) {
  const isAsset = hostile && TEAMS.includes(identity);
  return t(isAsset ? `asset-${identity}` : `identity-${identity}`);
}

/** How the cell without a card shows the nuke: the name of a text. */
export function nukeWords({ mode, armed }) {
  return mode === "basic" ? "nuke-basic" : armed ? "armed" : "not-armed";
}

/** The number of a clue, as it is written. */
export const numberWords = (number) => (number === "unlimited" ? "∞" : String(number));
