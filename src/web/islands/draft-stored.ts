/** A draft as its editor gets it from the server. */
import type { DocumentView } from "../../features/printing/view.ts";
import type { DraftFacts } from "./draft-sums.ts";
import type { TypedDraft } from "./draft-typed.ts";

/** A draft as it is stored, with everything that it stands on. */
export interface DraftStored {
  readonly id: string;
  readonly version: string;
  readonly is_being_issued: boolean;
  readonly typed: TypedDraft;
  readonly facts: DraftFacts;
  readonly view: DocumentView;
  /** Sentences in the reader's language. */
  readonly warnings: readonly string[];
}

/** Somebody of the account, or one of its customers. */
export interface Named {
  readonly id: string;
  readonly name: string;
}
