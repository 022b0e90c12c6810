/**
 * The port to what takes e-invoices: a folder, a folder on another machine, or an access point. An adapter never throws for what
 * the other side does: a submission in doubt is `unknown`, and is looked up later, never submitted again.
 */

export const einvoiceConnectionKinds = ["folder", "sftp", "phoss-ap"] as const;
export type EinvoiceConnectionKind = (typeof einvoiceConnectionKinds)[number];

/** The formats that travel through a connection; `factur-x` travels by mail alone. */
type NetworkFormat = "peppol-bis-3" | "oioubl-2.1";

/** An e-invoice to hand over. The delivery's id is the instance id on the other side. */
export interface Submission {
  readonly delivery_id: string;
  /** RFC 3339; `CreationDateAndTime` of an envelope. */
  readonly at: string;
  /** `0184:25313763` */
  readonly sender: string;
  readonly receiver: string;
  readonly format: NetworkFormat;
  readonly kind: "invoice" | "credit_note";
  readonly xml: Uint8Array;
}

export interface Call {
  readonly signal: AbortSignal;
}

/** What an outcome says about the connection itself: refused credentials, or an end that cannot be reached or does not send. */
export type ConnectionFault = "unauthorized" | "unavailable";

/** The outcome of handing over. `code` is a stable word such as `einvoice_invalid`; `text` has at most 500 characters. */
export type SubmitOutcome =
  /** The receiver's access point gave its receipt. With `is_final` false the receiver's side may still refuse it: look again. */
  | { readonly state: "delivered"; readonly at: string | null; readonly is_final: boolean }
  /** The engine has it, or the program that empties the folder; not sent yet. */
  | { readonly state: "accepted" }
  /** The file lies in the folder, and nothing has taken it. */
  | { readonly state: "written" }
  /** It will never be sent like this: `failed_permanent`. */
  | { readonly state: "refused"; readonly code: string; readonly text: string }
  /** Nothing was stored there: `failed_temporary`. With `connection`, the attempt does not count and waits for a good check. */
  | {
      readonly state: "not_taken";
      readonly code: string;
      readonly text: string;
      readonly connection: ConnectionFault | null;
    }
  /** In doubt: time-out, lost answer, 5xx, 422 with a report. */
  | { readonly state: "unknown"; readonly code: string; readonly text: string };

/** The result of a look under the id of a delivery. */
export type LookOutcome =
  /** `prepare` ended well and `submit` never began its work: proof that nothing was handed over. It may be submitted at once. */
  | { readonly state: "prepared" }
  /** The other side knows no submission under this id. Counts only at two looks. */
  | { readonly state: "absent" }
  /**
   * There is no trace in a folder that its reader empties. Proof of nothing by itself: after a `prepare` that ended well in this
   * database it was handed over and taken (`accepted`); in a restored copy it is `unknown`.
   */
  | { readonly state: "gone" }
  /** The file still lies in the folder. */
  | { readonly state: "written" }
  /** The engine has it and works at it. `text` says why it still waits, where the engine tells. */
  | { readonly state: "accepted"; readonly text: string | null }
  | { readonly state: "delivered"; readonly at: string | null; readonly is_final: boolean }
  /** The receiver's side refused it afterwards (MLS `RE`). */
  | { readonly state: "rejected"; readonly text: string }
  | { readonly state: "failed"; readonly code: string; readonly text: string }
  /** No usable answer: the look is tried again and changes nothing. */
  | { readonly state: "not_answered"; readonly connection: ConnectionFault | null };

export type CheckOutcome =
  | { readonly state: "connected" }
  | { readonly state: ConnectionFault; readonly text: string };

/** An answer of a buyer that waits in a folder. */
export interface WaitingAnswer {
  /** The name of the file, without a path. */
  readonly name: string;
  /** At most 1 MiB and one byte: a longer file is cut there, which the reader sees by the length. */
  readonly bytes: Uint8Array;
}

/** What a way of sending can do. */
export interface EinvoiceCapabilities {
  /** `sbd`: the e-invoice travels in a Standard Business Document. */
  readonly envelope: "none" | "sbd";
  readonly formats: readonly NetworkFormat[];
  /** Whether a submission can be found by our id, so that an absent one may be handed over again. */
  readonly finds: boolean;
  /** Whether the other side tells what became of a submission that it took. Where false, `accepted` and `gone` are the end. */
  readonly reports: boolean;
}

export interface AccessPoint extends EinvoiceCapabilities {
  readonly kind: EinvoiceConnectionKind;
  /** How long the caller of an issue waits for it, in milliseconds; 10 seconds where absent. The sending itself continues. */
  readonly most_wait_ms?: number;
  /** With `is_connecting`, missing folders are made; later a missing one is a disk that is away. */
  check(call: Call & { readonly is_connecting?: true }): Promise<CheckOutcome>;
  /**
   * Is called before the state `sending` is stored; null when all went well. A folder writes and syncs its `.part` here. May be
   * repeated. Absent where there is nothing to prepare.
   */
  prepare?(submission: Submission, call: Call): Promise<SubmitOutcome | null>;
  /** Hands over, after `sending` is stored. In a folder this renames the `.part`, and only that. */
  submit(submission: Submission, call: Call): Promise<SubmitOutcome>;
  look(delivery_id: string, call: Call): Promise<LookOutcome>;
  /** A few answers of buyers in `DIR/in`; null when the folder cannot be read. Absent where answers come by HTTP. */
  answers?(call: Call): Promise<readonly WaitingAnswer[] | null>;
  /** Moves an answer to `in/done` or `in/refused`; false when it could not be moved, and will be offered again. */
  settleAnswer?(name: string, outcome: "done" | "refused", call: Call): Promise<boolean>;
}
