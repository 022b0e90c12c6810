/**
 * Checks that a text is one email address. Mail software reads an address field as a list and as header text, so a comma, a
 * bracket or a line break in a customer's address would reach other people.
 */

/** The longest address that fits an SMTP path (RFC 5321 section 4.5.3.1.3), in characters. */
const MAIL_ADDRESS_MAX_LENGTH = 254;

const LOCAL_PART_MAX_LENGTH = 64;
const LOCAL_PART_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\p{L}\p{M}\p{Nd}-]+$/u;
const DOMAIN_LABEL = /^[A-Za-z0-9\p{L}\p{M}\p{Nd}-]{1,63}$/u;

/**
 * Whether the text is exactly one address of the form `local@domain`, as in RFC 5322 `addr-spec`
 * without its quoted, commented and bracketed forms. Letters of any script are allowed (RFC 6531);
 * spaces, control characters, commas and angle brackets are not, and nothing is trimmed.
 *
 * @param text the field as it was sent
 */
export function isMailAddress(text: string): boolean {
  if (text.length > MAIL_ADDRESS_MAX_LENGTH) return false;
  const parts = text.split("@");
  const [local, domain] = parts;
  if (parts.length !== 2 || local === undefined || domain === undefined) return false;
  return isLocalPart(local) && isDomain(domain);
}

function isLocalPart(local: string): boolean {
  return (
    local.length <= LOCAL_PART_MAX_LENGTH &&
    local.split(".").every((atom) => LOCAL_PART_ATOM.test(atom))
  );
}

function isDomain(domain: string): boolean {
  return domain
    .split(".")
    .every((label) => DOMAIN_LABEL.test(label) && !label.startsWith("-") && !label.endsWith("-"));
}
