/**
 * Passkeys as a second factor (WebAuthn): what the browser is asked to sign, and the check of its answer. The relying party is the
 * host of BASE_URL; where that is an IP address, browsers offer no passkeys.
 */
import { isIP } from "node:net";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import type { Reads } from "../../../platform/database/database.ts";
import { sql } from "../../../platform/database/sql.ts";
import { sha256 } from "../../../platform/runtime/json.ts";
import type { Services } from "../../../platform/runtime/services.ts";
import type { Login } from "../sign-in/sign-in.ts";

/** Loaded for the first passkey: its 300 modules took a quarter of the start of a command, and a tenth of that of a thread. */
const webauthn = () => import("@simplewebauthn/server");

const MINUTES = 5;

/** The passkeys of a login at most. */
export const MOST_PASSKEYS = 10;

type Purpose = "register" | "answer";
type Environment = Pick<Services, "gate" | "config">;

/** Returns the host whose passkeys browsers offer; null where BASE_URL names an IP address. */
export function relyingParty(base_url: string): string | null {
  const { hostname } = new URL(base_url);
  return isIP(hostname.replace(/^\[(.*)\]$/, "$1")) === 0 ? hostname : null;
}

interface StoredKey {
  readonly id: string;
  readonly public_key: Buffer;
  readonly counter: bigint;
  readonly transports: string[];
}

/** The passkeys of a login that count, or the new one that waits for its first answer. */
type KeyState = "active" | "new";

function keysOf(db: Reads, login_id: string, state: KeyState): Promise<StoredKey[]> {
  return db.rows<StoredKey>(sql`select id, public_key, counter, transports from passkeys
     where login_id = ${login_id} and (last_used_at is null) = ${state === "new"} order by created_at, id`);
}

/**
 * Returns what a browser signs with one of the login's passkeys, once and within five minutes; null where the login has none or
 * passkeys are not offered. `token` is the cookie of the browser. A `new` passkey signs for its first answer.
 */
export async function passkeyRequest(
  { gate, config }: Environment,
  login: Login,
  token: string,
  state: KeyState = "active",
): Promise<PublicKeyCredentialRequestOptionsJSON | null> {
  const rpID = relyingParty(config.base_url);
  const keys = rpID === null ? [] : await keysOf(gate, login.id, state);
  if (rpID === null || keys.length === 0) return null;
  const { generateAuthenticationOptions } = await webauthn();
  const options = await generateAuthenticationOptions({
    rpID,
    allowCredentials: keys.map(({ id, transports }) => ({ id, transports })),
    userVerification: "preferred",
  });
  await keepChallenge(gate, login.id, token, "answer", options.challenge);
  return options;
}

/** Returns what a browser makes a new passkey from; null where passkeys are not offered. */
export async function newPasskeyRequest(
  { gate, config }: Environment,
  login: Login,
  token: string,
): Promise<PublicKeyCredentialCreationOptionsJSON | null> {
  const rpID = relyingParty(config.base_url);
  if (rpID === null) return null;
  const keys = await keysOf(gate, login.id, "active");
  const { generateRegistrationOptions } = await webauthn();
  const options = await generateRegistrationOptions({
    rpName: "Matchbook",
    rpID,
    userName: login.email,
    userID: new Uint8Array(Buffer.from(login.id)),
    attestationType: "none",
    excludeCredentials: keys.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
  });
  await keepChallenge(gate, login.id, token, "register", options.challenge);
  return options;
}

async function keepChallenge(
  db: Reads,
  login_id: string,
  token: string,
  purpose: Purpose,
  challenge: string,
): Promise<void> {
  await db.rows(sql`insert into passkey_challenges (hash, login_id, purpose, challenge, expires_at)
     values (${sha256(token)}, ${login_id}, ${purpose}, ${challenge}, clock_timestamp() + make_interval(mins => ${MINUTES}))
     on conflict (hash) do update set login_id = excluded.login_id, purpose = excluded.purpose,
       challenge = excluded.challenge, expires_at = excluded.expires_at`);
}

/** Uses the challenge of a browser up; undefined where it has none of the purpose. */
async function takeChallenge(
  db: Reads,
  login_id: string,
  token: string,
  purpose: Purpose,
): Promise<string | undefined> {
  const row = await db.row<{ challenge: string }>(sql`delete from passkey_challenges
     where hash = ${sha256(token)} and login_id = ${login_id} and purpose = ${purpose}
       and expires_at > (select clock_timestamp()) returning challenge`);
  return row?.challenge;
}

/** A passkey that has signed, with the counter that its use has to find unchanged. */
export interface SignedByPasskey {
  readonly kind: "passkey";
  readonly id: string;
  readonly counter: bigint;
  readonly new_counter: bigint;
}

/** Checks the answer of a browser, as JSON; undefined for one that is wrong. A `new` passkey gives its first answer. */
export async function checkPasskey(
  { gate, config }: Environment,
  login_id: string,
  token: string,
  sent: string,
  state: KeyState = "active",
): Promise<SignedByPasskey | undefined> {
  const expectedRPID = relyingParty(config.base_url);
  const expectedChallenge = await takeChallenge(gate, login_id, token, "answer");
  if (expectedRPID === null || expectedChallenge === undefined) return undefined;
  const { verifyAuthenticationResponse } = await webauthn();
  try {
    const response = JSON.parse(sent) as AuthenticationResponseJSON;
    const key = (await keysOf(gate, login_id, state)).find(({ id }) => id === response.id);
    if (key === undefined) return undefined;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: config.base_url,
      expectedRPID,
      requireUserVerification: false,
      credential: {
        id: key.id,
        publicKey: new Uint8Array(key.public_key),
        counter: Number(key.counter),
      },
    });
    if (!verified) return undefined;
    const new_counter = BigInt(authenticationInfo.newCounter);
    return { kind: "passkey", id: key.id, counter: key.counter, new_counter };
  } catch (error) {
    // The library throws for every answer that does not verify.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** A new passkey as a browser has made it. */
interface NewPasskey {
  readonly id: string;
  readonly public_key: Buffer;
  readonly counter: bigint;
  readonly transports: readonly string[];
}

/** Checks a new passkey, as JSON; undefined for one that does not verify. */
export async function checkNewPasskey(
  { gate, config }: Environment,
  login_id: string,
  token: string,
  sent: string,
): Promise<NewPasskey | undefined> {
  const expectedRPID = relyingParty(config.base_url);
  const expectedChallenge = await takeChallenge(gate, login_id, token, "register");
  if (expectedRPID === null || expectedChallenge === undefined) return undefined;
  const { verifyRegistrationResponse } = await webauthn();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: JSON.parse(sent) as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: config.base_url,
      expectedRPID,
      requireUserVerification: false,
    });
    if (!verified || registrationInfo === undefined) return undefined;
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
    return { id, public_key: Buffer.from(publicKey), counter: BigInt(counter), transports };
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
