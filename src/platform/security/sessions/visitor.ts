/** From where a request comes, and whom it concerns. */

/** From where a request comes, and whom it concerns. */
export interface Visitor {
  /** The client's address. */
  readonly address: string;
  /** Says by which digest the log names the login that the request is about. */
  concerns(login_digest: string): void;
}
