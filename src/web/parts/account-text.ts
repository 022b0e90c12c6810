/** An account as a field shows it, by number and name, and how a typed one is read. */

interface NamedAccount {
  readonly number: number;
  readonly name: string;
}

/** Returns the account's number and name; the number alone if the chart has no such account. */
export function accountText(number: number, accounts: readonly NamedAccount[]): string {
  const name = accounts.find((account) => account.number === number)?.name;
  return name === undefined ? String(number) : `${number} ${name}`;
}

/**
 * Returns the number of a typed account: `1000`, `1000 Revenue`, or a name of the chart that only one account has. A number need
 * not be in the chart. NaN if unreadable, undefined if empty.
 */
export function accountFrom(
  typed: string | undefined,
  accounts: readonly NamedAccount[],
): number | undefined {
  const text = (typed ?? "").trim();
  if (text === "") return undefined;
  const [digits] = /^\d{1,8}(?=\s|$)/.exec(text) ?? [];
  if (digits !== undefined) return Number(digits);
  const wanted = text.toLowerCase();
  const [found, ...others] = accounts.filter(({ name }) => name.toLowerCase() === wanted);
  return found === undefined || others.length > 0 ? Number.NaN : found.number;
}
