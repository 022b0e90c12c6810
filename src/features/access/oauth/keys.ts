/**
 * Stores the keys that sign access tokens (ES256) in the database, so that every process signs and verifies
 * with the same keys. Each process reads the keys again once a minute; a new key signs only when it is
 * older than that, so that every process knows the key of every token.
 */
import { randomBytes } from "node:crypto";
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { defineDoorCommand, runAtEntryPoint } from "../../../platform/commands/entry-point.ts";
import type { Database } from "../../../platform/database/database.ts";
import { sql } from "../../../platform/database/sql.ts";
import { jsonText } from "../../../platform/runtime/json.ts";
import type { Services } from "../../../platform/runtime/services.ts";

export const SIGNING_ALGORITHM = "ES256";

/** The age from which a key signs; every process reads the keys again within this time. */
const KNOWN_AFTER_MS = 60_000;
/** After a rotation: the minute in which the old key may still sign, the ten of its tokens, and a margin. */
const RETIRES_AFTER_MINUTES = 15;

interface SigningKey {
  readonly kid: string;
  readonly private_key: CryptoKey;
}

interface KeyRing {
  /** Returns the current signing key. Creates the first key when there is none. */
  signing(): Promise<SigningKey>;
  /** Returns the public key with an id; undefined when the id is unknown or the key retired. */
  verifying(kid: string): Promise<CryptoKey | undefined>;
  /** Returns the keys at /api/oauth/jwks. */
  publicKeys(): Promise<readonly JWK[]>;
}

interface Loaded {
  readonly at: number;
  readonly signing: SigningKey;
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  readonly public_keys: readonly JWK[];
}

const rings = new WeakMap<Database["pool"], KeyRing>();

/** The keys of a database, read once a minute at most. */
export function keyRing(services: Services): KeyRing {
  const { pool } = services.gate;
  const ring = rings.get(pool) ?? openRing(services);
  rings.set(pool, ring);
  return ring;
}

function openRing(services: Services): KeyRing {
  let current: Loaded | undefined;
  let loading: Promise<Loaded> | undefined;
  const loaded = async (): Promise<Loaded> => {
    if (current && Date.now() - current.at < KNOWN_AFTER_MS) return current;
    // Parallel callers share one reading of the keys.
    loading ??= load(services).finally(() => {
      loading = undefined;
    });
    current = await loading;
    return current;
  };
  return {
    signing: async () => (await loaded()).signing,
    verifying: async (kid) => (await loaded()).verifying.get(kid),
    publicKeys: async () => (await loaded()).public_keys,
  };
}

interface KeyRow {
  readonly kid: string;
  readonly jwk: string;
  readonly is_known: boolean;
}

async function load(services: Services): Promise<Loaded> {
  const at = Date.now();
  let rows = await liveKeys(services.gate);
  if (rows.length === 0) {
    await runAtEntryPoint(makeKey, services, { is_rotation: false });
    rows = await liveKeys(services.gate);
  }
  const keys = await Promise.all(
    rows.map(async (row) => {
      const private_jwk = JSON.parse(row.jwk) as JWK;
      const { d: _, ...public_jwk } = private_jwk;
      return {
        ...row,
        public_jwk: { ...public_jwk, kid: row.kid, alg: SIGNING_ALGORITHM, use: "sig" },
        private_key: (await importJWK(private_jwk, SIGNING_ALGORITHM)) as CryptoKey,
        public_key: (await importJWK(public_jwk, SIGNING_ALGORITHM)) as CryptoKey,
      };
    }),
  );
  // The newest key that every process knows; at the very beginning there is only one key.
  const signing = keys.find((key) => key.is_known) ?? keys.at(-1);
  if (signing === undefined) throw new Error("there is no key to sign with");
  return {
    at,
    signing,
    verifying: new Map(keys.map((key) => [key.kid, key.public_key])),
    public_keys: keys.map((key) => key.public_jwk),
  };
}

/** Returns every key that verifies, the newest first. */
function liveKeys(db: Database): Promise<KeyRow[]> {
  return db.rows(sql`select kid, jwk, created_at < clock_timestamp() - make_interval(secs => ${KNOWN_AFTER_MS / 1000}) as is_known
     from oauth_keys where retired_at is null or retired_at > clock_timestamp()
     order by created_at desc, kid desc`);
}

/**
 * Creates a key, which signs from a minute on, and returns its id. For a rotation, the other keys retire when their last token
 * has expired; otherwise a key is created only when there is none, so that two parallel first starts create one.
 */
export const makeKey = defineDoorCommand({
  name: "make_key",
  async before(_services, { is_rotation }: { readonly is_rotation: boolean }) {
    const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
    const jwk = jsonText(await exportJWK(privateKey));
    return { kid: randomBytes(9).toString("base64url"), jwk, is_rotation };
  },

  commit(tx, { kid, jwk, is_rotation }) {
    tx.lock(sql`lock table oauth_keys in share row exclusive mode`);
    if (is_rotation) {
      tx.write(sql`update oauth_keys set retired_at = (select clock_timestamp() + make_interval(mins => ${RETIRES_AFTER_MINUTES}))
         where retired_at is null`);
    }
    tx.write(sql`insert into oauth_keys (kid, jwk) select ${kid}, ${jwk}
       where not exists (select from oauth_keys where retired_at is null)`);
    return kid;
  },
});
