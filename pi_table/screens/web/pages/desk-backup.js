// The section for backups: it makes a backup of everything on the table, and restores one.

import { bytesIn } from "./desk-line.js";
import { putUp } from "./desk-upload.js";
import { el, text } from "./dom.js";
import { joined } from "./seal.js";
import { lang, t } from "./texts.js";

export function backup(view, desk) {
  const down = el("section", { class: "group" });
  const up = el("section", { class: "group" });
  const controls = [];
  let address = null;
  view.replaceChildren(down, up);
  making();
  restoring();
  return () => {
    if (address !== null) URL.revokeObjectURL(address);
    void desk.ask("drop");
  };

  /** Makes or restores a backup. The controls are disabled meanwhile, because the table has one place
   * for what is uploaded or downloaded. */
  async function alone(work) {
    for (const each of controls) each.disabled = true;
    try {
      await work();
    } finally {
      for (const each of controls) each.disabled = false;
    }
  }

  function making() {
    const state = el("p", { role: "status" });
    const progress = el("progress", { hidden: true, max: 1, value: 0, "aria-label": t("desk-backup-comes") });
    const make = el("button", { type: "button", class: "primary", on: { click: () => void alone(begin) } }, t("desk-backup-make"));
    controls.push(make);
    down.replaceChildren(
      el("h3", {}, t("desk-backup-make")),
      el("p", { class: "soft" }, t("desk-backup-help")),
      make,
      progress,
      state,
    );

    async function begin() {
      state.className = "";
      text(state, t("desk-backup-making"));
      const answer = await desk.ask("backup");
      if (answer === null) return;
      if (!answer.ok) {
        state.className = "wrong";
        text(state, answer.sentence);
        return;
      }
      const kept = answer.told;
      progress.hidden = false;
      const pieces = [];
      for (let at = 0; at < kept.size; ) {
        const piece = await desk.ask("get", { at });
        if (piece === null) return;
        if (!piece.ok) {
          progress.hidden = true;
          state.className = "wrong";
          text(state, piece.sentence);
          return;
        }
        const bytes = bytesIn(piece.told);
        if (bytes.length === 0) break;
        pieces.push(bytes);
        at += bytes.length;
        progress.value = at / kept.size;
      }
      progress.hidden = true;
      if (address !== null) URL.revokeObjectURL(address);
      address = URL.createObjectURL(new Blob([joined(pieces)], { type: "application/x-tar" }));
      const name = `pi-table-${kept.made.slice(0, 10)}.backup`;
      const link = el("a", { class: "button primary", href: address, download: name }, t("desk-backup-save"));
      state.className = "right";
      state.replaceChildren(el("span", {}, told(kept)), " ", link);
      link.click();
      void desk.ask("drop");
    }
  }

  function restoring() {
    const state = el("p", { role: "status" });
    const progress = el("progress", { hidden: true, max: 1, value: 0, "aria-label": t("desk-restore-goes") });
    const file = el("input", { id: "restore-file", type: "file", class: "spoken" });
    file.addEventListener("change", () => void alone(() => take(file.files[0])));
    controls.push(file);
    up.replaceChildren(
      el("h3", {}, t("desk-restore")),
      el("p", { class: "soft" }, t("desk-restore-help")),
      file,
      el("label", { class: "button", for: "restore-file" }, t("desk-restore-choose")),
      progress,
      state,
    );

    async function take(chosen) {
      if (!chosen) return;
      file.value = "";
      state.className = "";
      text(state, t("desk-restore-reads"));
      progress.hidden = false;
      const bytes = new Uint8Array(await chosen.arrayBuffer());
      const refused = await putUp(desk, "backup", bytes, (have, whole) => {
        progress.value = have / whole;
      });
      progress.hidden = true;
      const answer = refused || (await desk.ask("check-backup"));
      if (answer === null || answer.lost) return;
      if (!answer.ok) {
        state.className = "wrong";
        text(state, answer.sentence);
        void desk.ask("drop");
        return;
      }
      text(state, told(answer.told));
      const more = [told(answer.told), t("desk-restore-sure-help")];
      if (answer.told.config) more.push(t("desk-restore-config"));
      if (!(await desk.confirm(t("desk-restore-sure"), t("desk-restore-yes"), more))) {
        text(state, "");
        void desk.ask("drop");
        return;
      }
      text(state, t("desk-restore-works"));
      const done = await desk.ask("restore");
      if (done === null) return;
      state.className = done.ok ? "right" : "wrong";
      text(state, done.ok ? t("desk-restore-done") : done.sentence);
    }
  }
}

function told(kept) {
  const made = new Date(kept.made).toLocaleString(lang(), { dateStyle: "long", timeStyle: "short" });
  const things = [t("desk-backup-games", { count: kept.games }), t("desk-backup-packs", { count: kept.packs })];
  return `${made}: ${things.join(", ")} (${Math.ceil(kept.size / 1024)} KiB, pi-table ${kept.version}).`;
}
