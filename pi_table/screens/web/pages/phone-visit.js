// The pages of an agent's visit: questions, one on each page, and texts to read. The lines and their
// order are the same for all six agents. Only the values at the ends of lines differ. These are visible
// while a finger is held on the phone. Everybody can enter the acts of every role.

import { nickname } from "./game.js";
import {
  FACTS,
  HIDDEN,
  REVEALABLE,
  TELLABLE,
  factName,
  factsWords,
  iconOf,
  others,
  valueWords,
} from "./phone-terms.js";
import { t } from "./texts.js";

/** Maximum number of messages to an agent in a phase: one from every other agent. */
const SLOTS = 5;
/** Acts whose refusal only the agent may know. */
export const SECRET = ["ask", "attempt"];

/** Pages that have no secrets: holding a finger would show nothing. */
export const UNCOVERED = ["send-to", "sure", "target", "demand"];

const go = (page, fields = {}) => ({ go: { page, ...fields } });
const act = (name, fields = {}) => ({ act: { act: name, ...fields } });
const line = (key, label, does, value = "") => ({ key, label, does, value });
/** A line for a task of this visit. It has a tick if `isDone` is true. */
const task = (isDone, ...of) => ({ ...line(...of), isDone });

/** The pages, by their names. Each is a function of a context and of the page's own fields. The context
 * has `view` (the public state), `seat`, `entered` (acts), `agent` (this agent's secrets; null unless
 * a finger is held) and `refused` (reasons why acts of `SECRET` were refused). A page has a `title`, a
 * `help` text, and `lines` or a `kind`. */
export const PAGES = {
  menu(context) {
    return {
      kind: "menu",
      title: nickname(context.view, context.seat),
      help: "",
      role: roleOf(context.agent),
      icon: context.agent === null ? "who" : iconOf("role", context.agent.identikit.role),
      facts: ["faction", "position", "fragment"].map((fact) => [
        fact,
        factName(fact),
        own(context, fact) || HIDDEN,
      ]),
      lines: menuLines(context),
    };
  },

  // The message

  "send-to": ({ view, seat }) => ({
    title: t("phone-send-to"),
    help: t("phone-send-to-help"),
    lines: others(seat).map((to) => line(to, nickname(view, to), go("send-fact", { to }))),
  }),

  "send-fact": (context, { to }) => ({
    title: t("phone-send-fact"),
    help: "",
    lines: TELLABLE.map((fact) =>
      line(fact, factName(fact), go("second-fact", { to, fact }), own(context, fact)),
    ),
  }),

  "second-fact"(context, { to, fact }) {
    const seconds = TELLABLE.filter(
      (other) => other !== fact && (other === "role" || fact === "role"),
    );
    return {
      title: t("phone-second-fact"),
      help: t("phone-second-fact-help"),
      lines: [
        line("none", t("phone-no-second"), go("sure", sending(context, to, [fact]))),
        ...seconds.map((second) =>
          line(
            second,
            factName(second),
            go("sure", sending(context, to, [fact, second])),
            own(context, second),
          ),
        ),
      ],
    };
  },

  sure: (context, { question, yes, do: asked }) => ({
    title: question,
    help: "",
    lines: [line("yes", yes, { act: asked }), line("no", t("phone-no-back"), { back: true })],
  }),

  // Acts that have an effect only with a role's power

  target: ({ view, seat }) => ({
    title: t("phone-target"),
    help: t("phone-target-help"),
    lines: [
      line("nobody", t("phone-nobody"), { back: true }),
      ...others(seat).map((target) =>
        line(target, nickname(view, target), act("hack", { target })),
      ),
    ],
  }),

  "ask-about": (context) => ({
    title: t("phone-ask-about"),
    help: t("phone-ask-help"),
    lines: slots().map((message) => {
      const came = messageOf(context.agent, context.view.number, message);
      const value = came
        ? `${came.fragment}, ${factsWords(came.facts)}`
        : context.agent === null
          ? ""
          : "–";
      return line(
        message,
        t("phone-message-number", { number: message }),
        go("ask-fact", { message }),
        value,
      );
    }),
  }),

  "ask-fact"(context, { message }) {
    const facts = (messageOf(context.agent, context.view.number, message) || { facts: {} }).facts;
    return {
      title: t("phone-ask-fact"),
      help: t("phone-ask-fact-help"),
      lines: TELLABLE.map((fact) =>
        line(
          fact,
          factName(fact),
          act("ask", { message, fact }),
          fact in facts ? valueWords(fact, facts[fact]) : "",
        ),
      ),
    };
  },

  demand: () => ({
    title: t("phone-demand-fact"),
    help: t("phone-demand-help"),
    lines: REVEALABLE.map((fact) => line(fact, factName(fact), act("extort", { fact }))),
  }),

  code: () => ({ kind: "code", title: t("phone-enter-code"), help: t("phone-code-help") }),

  "code-sure": (context, { code }) => ({
    kind: "code-sure",
    code,
    title: t("phone-code-sure"),
    help: t("phone-code-once"),
    lines: [
      line("yes", t("phone-code-yes"), act("attempt", { code })),
      line("no", t("phone-no-back"), { back: true }),
    ],
  }),

  reveal(context) {
    const hidden = REVEALABLE.filter((fact) => !(fact in knownOf(context)));
    return {
      title: t("phone-reveal-fact"),
      help: t("phone-reveal-help"),
      lines: hidden.map((fact) => {
        const question = t("phone-reveal-fact-sure", { fact: factName(fact) });
        const asked = { question, yes: t("phone-yes-this"), do: { act: "reveal", fact } };
        return line(fact, factName(fact), go("sure", asked), own(context, fact));
      }),
    };
  },

  // Pages to read

  who: ({ agent }) => ({
    kind: "who",
    title: t("phone-who"),
    help: "",
    papers: papers(agent),
    role: roleOf(agent),
  }),

  messages(context, { phase = deliveries(context.view) }) {
    const phases = Array.from(
      { length: deliveries(context.view) },
      (_, at) => deliveries(context.view) - at,
    );
    return {
      kind: "messages",
      title: t("phone-messages"),
      help: "",
      phase,
      phases,
      came: slots().map((number) => came(context.agent, phase, number)),
      blocked: blocked(context, phase),
    };
  },
};

/** The number of phases in which messages have been delivered. This number is public. */
export function deliveries({ phase, number }) {
  return phase === "send" ? number - 1 : number;
}

function menuLines(context) {
  const { view, entered } = context;
  const once = (key, name, page) =>
    task(
      entered.has(key),
      key,
      t(name),
      entered.has(key) ? null : go(page),
      result(context, key),
    );
  const again = (key, name, page) =>
    task(entered.has(key), key, t(name), go(page), result(context, key));
  const who = line("who", t("phone-who"), go("who"));
  const messages = line("messages", t("phone-messages"), go("messages"));
  const isOpen = view.phase === "send" && !entered.has("send");
  const asked = { question: t("phone-done-sure"), yes: t("phone-done-yes"), do: { act: "done" } };
  const done = line(
    "done",
    t("phone-done"),
    isOpen ? null : go("sure", asked),
    isOpen ? t("phone-message-first") : "",
  );
  if (view.phase === "send") {
    return [
      once("send", "phone-send", "send-to"),
      once("hack", "phone-name-target", "target"),
      who,
      ...(deliveries(view) > 0 ? [messages] : []),
      done,
    ];
  }
  if (view.phase === "act") {
    return [
      messages,
      again("ask", "phone-ask", "ask-about"),
      once("extort", "phone-demand", "demand"),
      again("attempt", "phone-enter-code", "code"),
      who,
      done,
    ];
  }
  return [line("reveal", t("phone-choose-revealed"), go("reveal")), who, messages];
}

/** The text at the end of a line: that something was entered or, while a finger is held, its result. */
function result(context, key) {
  const { agent, entered, refused } = context;
  if (agent === null) return entered.has(key) ? t("phone-entered") : "";
  return refused.get(key) || RESULTS[key](context, agent) || "";
}

const RESULTS = {
  send({ view }, { entered }) {
    if (entered.send === null) return "";
    return `${nickname(view, entered.send.to)}: ${entered.send.facts.map(factName).join(", ")}`;
  },
  hack: ({ view }, { entered }) => entered.hack && nickname(view, entered.hack),
  ask({ view }, agent) {
    if (agent.entered.ask === null) return "";
    const about = messageOf(agent, view.number, agent.entered.ask.message);
    const learned = (about && about.learned) || {};
    return Object.keys(learned).length > 0 ? factsWords(learned) : t("phone-no-effect");
  },
  extort: (_, { entered }) => entered.extort && factName(entered.extort),
  attempt(_, { entered, blocked }) {
    if (entered.attempt !== null) return t(`phone-attempt-${entered.attempt}`);
    return blocked ? t("phone-attempt-blocked") : "";
  },
};

function sending({ view }, to, facts) {
  const agent = nickname(view, to);
  const [fact, other] = facts.map(factName);
  const question = other
    ? t("phone-send-two-sure", { agent, fact, other })
    : t("phone-send-sure", { agent, fact });
  return { question, yes: t("phone-send-yes"), do: { act: "send", to, facts } };
}

function own({ agent }, fact) {
  return agent === null ? "" : valueWords(fact, agent.identikit[fact]);
}

function knownOf({ view, seat }) {
  return view.agents[Number(seat.slice(-1)) - 1].revealed;
}

function slots() {
  return Array.from({ length: SLOTS }, (_, at) => at + 1);
}

function messageOf(agent, phase, number) {
  const delivery = agent && agent.received.find((each) => each.phase === phase);
  return (delivery && delivery.messages.find((each) => each.number === number)) || null;
}

function papers(agent) {
  const labels = [
    ...FACTS.map(factName),
    t("phone-belongs"),
    t("phone-code-attempt"),
    t("phone-power"),
  ];
  if (agent === null) return labels.map((label) => [label, HIDDEN]);
  const left = (is) => t(is ? "phone-left" : "phone-used-up");
  const values = [
    ...FACTS.map((fact) => valueWords(fact, agent.identikit[fact])),
    t(agent.belongs),
    left(agent.attempt_left),
    agent.power_left === null ? "–" : left(agent.power_left),
  ];
  return labels.map((label, place) => [label, values[place]]);
}

function roleOf(agent) {
  if (agent === null) return [HIDDEN, t("phone-hold-to-read")];
  return [t(`role-${agent.identikit.role}`), t(`phone-power-${agent.identikit.role}`)];
}

/** A received message: its fragment, its facts, and the facts that the agent learned by asking about
 * its sender. */
function came(agent, phase, number) {
  if (agent === null) return [HIDDEN, HIDDEN, ""];
  const message = messageOf(agent, phase, number);
  if (message === null) return ["–", "", ""];
  const learned =
    Object.keys(message.learned).length > 0
      ? t("phone-asked", { fact: factsWords(message.learned) })
      : "";
  return [message.fragment, factsWords(message.facts), learned];
}

function blocked({ agent, view }, phase) {
  if (agent === null) return HIDDEN;
  if (phase !== view.number) return "–";
  return t(agent.blocked ? "phone-blocked" : "phone-not-blocked");
}
