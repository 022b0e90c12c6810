/** The behaviours of the simulation of phoss-ap that tests choose, with the usual value of each. */

export const usual = {
  /** The value of `X-Token`. */
  token: "sim-token",
  /** Without sending, a submit is 404. */
  is_sending_on: true,
  /** What the rules of the access point say: a document that they refuse is 422 with a text, and nothing is stored. */
  refuses_documents: false,
  /**
   * What a sending over the network comes to: `sent`, `failed` (422 with a report; it is tried again later by itself),
   * `rejected` or `permanently_failed` (422 with a report, final), or `silent` (stays `sending` until time passes).
   */
  network: "sent",
  /** The number of sendings that come to the outcome of `network`; later ones are sent. Null for all. */
  network_times: null,
  /** Every so many sendings over the network come to `failed`, whatever `network` says; null for none. */
  fails_every: null,
  /** How long the network takes, while the caller of a submit waits. */
  network_ms: 0,
  /** How long until a failed sending is tried again by itself; null for only when a test lets time pass. */
  retry_ms: null,
  /** The error of a sending that is not sent. */
  error_details: "AS4: the receiver's access point does not answer",
  /** Whether receivers drop a second sending with the same instance id; most do not. */
  receivers_drop_repeated: false,
  /** The Message Level Status after a sending: `pending`, `received_ap`, `received_ab`, `received_re`, `not_applicable`. */
  mls_status: "pending",
  /** Whether a transaction is archived as soon as it has ended; otherwise when a test lets a day pass. */
  archives_at_once: false,
  /** The milliseconds between two looks of the directory sender. */
  directory_ms: 20,
};

export function switchesOf(books) {
  return { ...usual, ...books.get("switches") };
}
