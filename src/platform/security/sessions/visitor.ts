/** The origin of a request, and the login that the request is about. */
export interface Visitor {
  /** The client's address. */
  readonly address: string;
  /** The User-Agent header, at most 400 characters; null where the client sent none. */
  readonly browser: string | null;
  /** Records the digest by which the log names the login that the request is about. */
  concerns(login_digest: string): void;
}
