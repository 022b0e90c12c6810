/**
 * Saves a draft while it is typed: in the browser with each change, so that a reload loses nothing, and on the server a moment
 * after the last key press. One save is under way at a time. A save without an answer is sent again; if it was stored after all,
 * the keeper does not take it for another person's change.
 */
import { keepAt, keptValueAt } from "../browser/kept.ts";
import { type Refused, send } from "../browser/send.ts";
import type { Refusal } from "../words/refusal.ts";
import type { Language } from "../words/words.ts";
import type { DraftStored } from "./draft-stored.ts";
import {
  type DraftChanges,
  saysTheSame,
  type TypedDraft,
  type TypedFaults,
  withIds,
} from "./draft-typed.ts";

/** Pauses in milliseconds: after the last key press, and before a save without an answer is repeated. */
const PAUSE_MS = 600;
const AGAIN_MS = 3_000;
const MOST_UNDONE = 200;

type Saving = "saved" | "typing" | "saving" | "lost" | "refused" | "changed";

export interface Editing {
  readonly typed: TypedDraft;
  readonly stored: DraftStored;
  /** The stored draft, as it was typed. */
  readonly kept: TypedDraft;
  readonly saving: Saving;
  /** What the server refused of the last save, by field. */
  readonly refused: ReadonlyMap<string, Refusal>;
  /** The version that another person made meanwhile. */
  readonly remote: string | null;
}

interface Copy {
  readonly version: string;
  readonly typed: TypedDraft;
}

/** Converts a draft to what the command takes, with its faults. */
type DraftCheck = (
  typed: TypedDraft,
  stored: DraftStored,
) => { readonly changes: DraftChanges; readonly faults: TypedFaults };

export class DraftKeeper {
  #editing: Editing;
  readonly #place: string;
  readonly #language: Language;
  readonly #check: DraftCheck;
  readonly #render: () => void;
  #undone: TypedDraft[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #under_way: Promise<boolean> | null = null;

  /** `person` is the user who types, `check` decides what may be sent, and `render` is called after each change. */
  constructor(
    stored: DraftStored,
    person: string,
    language: Language,
    check: DraftCheck,
    render: () => void,
  ) {
    const { typed } = stored;
    this.#editing = {
      typed,
      stored,
      kept: typed,
      saving: "saved",
      refused: new Map(),
      remote: null,
    };
    // A number means something else in another language, so each language has its own place.
    this.#place = `draft ${person} ${stored.id} ${language}`;
    this.#language = language;
    this.#check = check;
    this.#render = render;
  }

  get editing(): Editing {
    return this.#editing;
  }

  get can_undo(): boolean {
    return this.#undone.length > 0;
  }

  /**
   * Resumes what was typed before the page was left, and retries when the connection is back. Returns a function that ends this.
   */
  begin(): () => void {
    const { stored } = this.#editing;
    const copy = keptValueAt(this.#place) as Copy | null;
    if (copy !== null && saysTheSame(copy.typed, stored.typed, this.#language)) {
      keepAt(this.#place, null);
    } else if (copy !== null) {
      const is_current = copy.version === stored.version;
      const remote = is_current ? null : stored.version;
      this.#set({ typed: copy.typed, saving: is_current ? "typing" : "changed", remote });
      if (is_current) this.#later(0);
    }
    const again = () => this.#editing.saving === "lost" && this.#later(0);
    addEventListener("online", again);
    return () => {
      removeEventListener("online", again);
      clearTimeout(this.#timer);
    };
  }

  readonly change = (next: (draft: TypedDraft) => TypedDraft): void => {
    const { typed, saving } = this.#editing;
    const after = next(typed);
    if (after === typed) return;
    this.#undone = [...this.#undone.slice(-MOST_UNDONE), typed];
    const is_stuck = saving === "changed";
    this.#set({ typed: after, refused: new Map(), saving: is_stuck ? saving : "typing" });
    this.#later(PAUSE_MS);
  };

  readonly undo = (): void => {
    const before = this.#undone.pop();
    if (before === undefined) return;
    // Lines that were stored meanwhile keep their ids.
    const { typed } = this.#editing;
    const ids = typed.lines.map(({ id }) => id ?? "");
    this.#set({ typed: withIds(before, typed, ids), refused: new Map(), saving: "typing" });
    this.#later(PAUSE_MS);
  };

  /** Saves what can be saved without waiting for the pause. Returns true when everything is stored. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    while (this.#under_way !== null) await this.#under_way;
    const { typed, kept, stored, remote } = this.#editing;
    if (typed === kept) return true;
    if (remote !== null) return false;
    const { changes, faults } = this.#check(typed, stored);
    if (faults.size > 0) return false;
    this.#under_way = this.#save(typed, changes);
    const is_saved = await this.#under_way;
    this.#under_way = null;
    return is_saved && this.#editing.typed === this.#editing.kept;
  }

  /** Overwrites the version of the other person. */
  readonly keepMine = (): void => {
    const { stored, remote } = this.#editing;
    if (remote === null) return;
    this.#set({ stored: { ...stored, version: remote }, remote: null, saving: "typing" });
    this.#later(0);
  };

  /** For a change outside the draft: updates its sums and view, and keeps the typed text and the version that was seen. */
  readonly refresh = ({ facts, view, warnings }: DraftStored): void => {
    this.#set({ stored: { ...this.#editing.stored, facts, view, warnings } });
  };

  readonly showRemote = (): void => {
    clearTimeout(this.#timer);
    keepAt(this.#place, null);
    location.reload();
  };

  #set(change: Partial<Editing>): void {
    this.#editing = { ...this.#editing, ...change };
    const { typed, kept, stored } = this.#editing;
    if (typed === kept) keepAt(this.#place, null);
    else keepAt(this.#place, JSON.stringify({ version: stored.version, typed }));
    this.#render();
  }

  #later(after: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), after);
  }

  async #save(sent: TypedDraft, changes: DraftChanges): Promise<boolean> {
    const { id, version: seen } = this.#editing.stored;
    const language = this.#language;
    this.#set({ saving: "saving" });
    const answer = await send<DraftStored>("/app/drafts/save", { ...changes, id, seen, language });
    if ("lost" in answer) {
      this.#set({ saving: "lost" });
      this.#later(AGAIN_MS);
      return false;
    }
    if ("done" in answer) return this.#adopt(sent, answer.done);
    const is_changed = answer.refused.code === "CHANGED_MEANWHILE";
    const own = is_changed ? await this.#storedAsSent(sent) : null;
    if (own !== null) return this.#adopt(sent, own);
    this.#refuse(answer.refused);
    return false;
  }

  /** Returns the stored draft if it equals `sent`: then only the answer was lost, and no other person changed the draft. */
  async #storedAsSent(sent: TypedDraft): Promise<DraftStored | null> {
    const { id } = this.#editing.stored;
    const language = this.#language;
    const answer = await send<DraftStored>("/app/drafts/read", { id, language });
    if (!("done" in answer)) return null;
    return saysTheSame(answer.done.typed, sent, language) ? answer.done : null;
  }

  #adopt(sent: TypedDraft, stored: DraftStored): true {
    const ids = stored.typed.lines.map((line) => line.id ?? "");
    const { typed } = this.#editing;
    const with_ids = withIds(typed, sent, ids);
    const is_all = typed === sent;
    this.#set({
      stored,
      typed: with_ids,
      kept: is_all ? with_ids : sent,
      saving: is_all ? "saved" : "typing",
    });
    if (!is_all) this.#later(PAUSE_MS);
    return true;
  }

  #refuse({ code, message, field_errors, details }: Refused): void {
    if (code === "CHANGED_MEANWHILE") {
      this.#set({ saving: "changed", remote: String(details.version) });
      return;
    }
    const fields = field_errors.map((error): [string, Refusal] => [error.field, error]);
    const whole: [string, Refusal][] = fields.length > 0 ? [] : [["", { code, message }]];
    this.#set({ saving: "refused", refused: new Map([...whole, ...fields]) });
  }
}
