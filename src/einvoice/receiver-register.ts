/** The port to a register of receivers of e-invoices. Its answers are hints: nothing is sent or held back by them. */

export interface FoundReceiver {
  /** `unknown` says nothing: the register, or what it points to, gave no usable answer. */
  readonly registered: "yes" | "no" | "unknown";
  readonly formats: readonly ("peppol-bis-3" | "oioubl-2.1")[];
  /** Whether it also receives answers to invoices, so that it knows them. */
  readonly answers: boolean;
  /** Why the answer is `unknown`, as a sentence for operators; else null. */
  readonly reason: string | null;
}

export interface ReceiverRegister {
  /** The name of the register: `peppol`, `peppol-test`, or a DNS zone. */
  readonly source: string;
  /** Asks for an address such as `0088:5798009811578`, for at most 5 seconds. Throws only the signal's reason. */
  find(address: string, signal: AbortSignal): Promise<FoundReceiver>;
}
