/**
 * Holds mail back while background work is paused. Documents stay queued with their delivery. Messages to people about their
 * sign-in are stored nowhere else, so they are kept here until they may be sent.
 */

import type { Reads } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import type { Background } from "../runtime/background.ts";
import { newId } from "../runtime/id.ts";

export interface HeldNote {
  readonly sandbox: boolean;
  readonly recipient: string;
  readonly language: "da" | "en";
  readonly subject: string;
  readonly text: string;
  readonly button: string | null;
}

export interface MailHold {
  /** Whether mail is held back now, read on its own connection or with other reads. */
  isHeld(reads?: Reads): Promise<boolean>;
  /** Stores a message to be sent later. To be called outside of any transaction. */
  keep(note: HeldNote): Promise<void>;
}

/** A hold that never holds mail back. */
export const noHold: MailHold = { isHeld: async () => false, keep: async () => {} };

export function openHold(db: Reads, background: Background): MailHold {
  return {
    isHeld: (reads) => background.isPaused(reads),
    async keep({ sandbox, recipient, language, subject, text, button }) {
      await db.rows(
        sql`insert into held_notes (id, sandbox, recipient, language, subject, text, button)
         values (${newId()}, ${sandbox}, ${recipient}, ${language}, ${subject}, ${text}, ${button})`,
      );
    },
  };
}

/** The messages that wait to be sent. */
export const heldNotes = sql`from held_notes`;

/** Takes the oldest waiting message for this process alone; undefined when there is none. */
export function takeHeldNote(db: Reads): Promise<HeldNote | undefined> {
  return db.row<HeldNote>(sql`delete from held_notes where id = (
       select id from held_notes order by id limit 1 for update skip locked)
     returning sandbox, recipient, language, subject, text, button`);
}
