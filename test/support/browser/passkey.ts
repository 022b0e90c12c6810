/** An authenticator in software: makes passkeys and signs with them as a security key does, for tests without a real browser. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { World } from "../world/world.ts";
import type { Browser, PageReply } from "./browser.ts";

const NEW = "/me/factors/passkey";
const FIRST = `${NEW}/first-answer`;
const PRESENT = 0x01;
const HAS_KEY = 0x40;

interface PasskeyRequest {
  readonly challenge: string;
  readonly allowCredentials?: readonly { readonly id: string }[];
}

interface TestPasskey {
  readonly id: string;
  /** The answer of the browser to the request on a page, as JSON. `is_present: false` is one without a touch. */
  readonly answer: (page: PageReply, is_present?: boolean) => string;
}

/** Returns what a page asks the browser to sign; throws where it asks for nothing. */
export function passkeyRequestOn({ html }: PageReply): PasskeyRequest {
  const props = /data-island="passkey-button" data-props='([^']*)'/.exec(html)?.[1];
  if (props === undefined) throw new Error(`the page asks for no passkey: ${html}`);
  return JSON.parse(props.replaceAll("&#39;", "'").replaceAll("&lt;", "<").replaceAll("&amp;", "&"))
    .request;
}

/** Makes a passkey for the request on the page of a new one; returns it, with the answer of the browser as JSON. */
export function makePasskey(
  world: World,
  page: PageReply,
  is_present = true,
): { readonly passkey: TestPasskey; readonly made: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  // A COSE key: EC2, ES256, P-256, with its two coordinates of 32 bytes.
  const key = Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url"),
  ]);
  const data = Buffer.concat([
    authenticatorData(world, HAS_KEY | (is_present ? PRESENT : 0), 1),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    key,
  ]);
  const attestation = Buffer.concat([
    Buffer.from([0xa3, ...text("fmt"), ...text("none"), ...text("attStmt"), 0xa0]),
    Buffer.from([...text("authData"), 0x58, data.length]),
    data,
  ]);
  const made = sent(id, {
    clientDataJSON: clientData(world, "webauthn.create", passkeyRequestOn(page)),
    attestationObject: attestation,
  });
  return { passkey: passkeyOf(world, id, privateKey), made };
}

/** Adds a passkey to the login of a browser; returns the page of its first answer with it. */
export async function beginPasskey(world: World, browser: Browser, name: string) {
  const page = await browser.get(NEW);
  const { passkey, made } = makePasskey(world, page);
  const reply = await browser.submit(page, NEW, { name, passkey: made });
  return { passkey, reply, first: reply.location === FIRST ? await browser.get(FIRST) : null };
}

/** Adds a passkey that counts; returns it, with the page that answered. */
export async function addPasskey(world: World, browser: Browser, name: string) {
  const { passkey, first } = await beginPasskey(world, browser, name);
  if (first === null) throw new Error("the passkey was not made");
  const done = await browser.submit(first, FIRST, { passkey: passkey.answer(first) });
  return { passkey, done };
}

function passkeyOf(world: World, id: Buffer, key: KeyObject): TestPasskey {
  let counter = 1;
  return {
    id: id.toString("base64url"),
    answer(page, is_present = true) {
      counter += 1;
      const authenticator = authenticatorData(world, is_present ? PRESENT : 0, counter);
      const client = clientData(world, "webauthn.get", passkeyRequestOn(page));
      const signed = Buffer.concat([authenticator, digest(client)]);
      return sent(id, {
        clientDataJSON: client,
        authenticatorData: authenticator,
        signature: sign("sha256", signed, key),
      });
    },
  };
}

function authenticatorData(world: World, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const { hostname } = new URL(world.origin);
  return Buffer.concat([digest(Buffer.from(hostname)), Buffer.from([flags]), count]);
}

function clientData(world: World, type: string, { challenge }: PasskeyRequest): Buffer {
  const { origin } = world;
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function sent(id: Buffer, parts: Readonly<Record<string, Buffer>>): string {
  const response = Object.fromEntries(
    Object.entries(parts).map(([name, bytes]) => [name, bytes.toString("base64url")]),
  );
  const name = id.toString("base64url");
  return JSON.stringify({
    ...{ id: name, rawId: name, type: "public-key", clientExtensionResults: {} },
    response: { ...response, transports: ["usb"] },
  });
}

/** A short text in CBOR. */
function text(value: string): number[] {
  return [0x60 + value.length, ...Buffer.from(value)];
}

function digest(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}
