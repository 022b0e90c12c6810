/**
 * The register of Peppol: a DNS record names the publisher (SMP) of a receiver, which lists its document types. Publishers are
 * anywhere and untrusted, so that only public addresses are asked, unless the operator has listed the host.
 */
import { Resolver } from "node:dns/promises";
import {
  hashedTextOf,
  publishedUrl,
  publisherOf,
  registeredName,
  servedBy,
  zoneOf,
} from "../../domain/einvoice/participant.ts";
import type { LedgerAnswer } from "../../ledger/connector.ts";
import { sha256 } from "../../platform/runtime/json.ts";
import { readStrictXml, type XmlElement } from "../../platform/runtime/strict-xml.ts";
import { timeLimit } from "../../platform/runtime/time-limit.ts";
import { send } from "../../platform/security/outbound.ts";
import { ruleFor } from "../../platform/security/reach.ts";
import type { FoundReceiver, ReceiverRegister } from "../receiver-register.ts";

interface PeppolSettings {
  /** `production`, `test` or a DNS zone. */
  readonly lookup: string;
  /** The address of a DNS server with an optional port; null for those of the system. */
  readonly dns: string | null;
  /** `host` or `host:port` of publishers that may stand anywhere; on this machine also without TLS. */
  readonly hosts: readonly string[];
  /** The time limit of a look-up. */
  readonly most_ms: number;
}

const MOST_BYTES = 1_000_000;
const MOST_ELEMENTS = 20_000;
const LONGEST_TEXT = 10_000;
const PUBLISHING = "http://busdox.org/serviceMetadata/publishing/1.0/";

/** Returns the register of a zone. */
export function peppolRegister(settings: PeppolSettings): ReceiverRegister {
  const { lookup, most_ms } = settings;
  const sources: Readonly<Record<string, string>> = { production: "peppol", test: "peppol-test" };
  return {
    source: sources[lookup] ?? lookup,
    async find(address, signal) {
      const limit = timeLimit(most_ms, signal);
      const found = await lookUp(settings, address, limit.signal).finally(limit.clear);
      signal.throwIfAborted();
      return found;
    },
  };
}

async function lookUp(
  settings: PeppolSettings,
  address: string,
  signal: AbortSignal,
): Promise<FoundReceiver> {
  const digest = sha256(hashedTextOf(address));
  const records = await recordsOf(
    registeredName(digest, zoneOf(settings.lookup)),
    settings,
    signal,
  );
  if (!Array.isArray(records)) return records;
  const publisher = publisherOf(records);
  if (publisher === null) return NOT_REGISTERED;
  const url = publishedUrl(publisher, address);
  const answer = await askPublisher(url, settings, signal);
  if (answer.state !== "answered") {
    const reason = answer.state === "lost" || answer.reason !== "not_allowed";
    return unknown(
      reason ? "The publisher did not answer." : "The publisher has no address that may be asked.",
    );
  }
  if (answer.status === 404) return NOT_REGISTERED;
  if (answer.status !== 200) return unknown(`The publisher answered ${answer.status}.`);
  return readServices(answer.body, signal);
}

const NOTHING = { formats: [], answers: false } as const;
const NOT_REGISTERED: FoundReceiver = { registered: "no", ...NOTHING, reason: null };

function unknown(reason: string): FoundReceiver {
  return { registered: "unknown", ...NOTHING, reason };
}

/** Codes of the resolver for names that do not exist, or have no such record. */
const ABSENT: readonly string[] = ["ENOTFOUND", "ENODATA"];

async function recordsOf(name: string, { dns, most_ms }: PeppolSettings, signal: AbortSignal) {
  if (signal.aborted) return unknown("The DNS server did not answer.");
  // The second try begins while there is time for its answer.
  const resolver = new Resolver({ timeout: Math.ceil(most_ms / 3), tries: 2 });
  if (dns !== null) resolver.setServers([dns]);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel);
  try {
    return await resolver.resolveNaptr(name);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return ABSENT.includes(code) ? [] : unknown("The DNS server did not answer.");
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

async function askPublisher(
  text: string,
  { hosts }: PeppolSettings,
  signal: AbortSignal,
): Promise<LedgerAnswer> {
  const refused = { state: "not_sent", reason: "not_allowed", cause: text } as const;
  if (!URL.canParse(text)) return refused;
  const url = new URL(text);
  // Every host counts as known here, and what is known and not listed has to be a public address.
  const known = ruleFor(url, { known: [url.hostname], listed: hosts, is_sandbox: false });
  if (known === null) return refused;
  const rule = known === "never" ? "public" : known;
  const headers = { accept: "application/xml, text/xml" };
  const request = { method: "GET", url, headers, body: null, signal, most_bytes: MOST_BYTES };
  return send(request, rule);
}

async function readServices(bytes: Uint8Array, signal: AbortSignal): Promise<FoundReceiver> {
  let elements = 0;
  const references: string[] = [];
  try {
    const root = await readStrictXml(
      bytes,
      {
        takes_latin1: false,
        longest_text: LONGEST_TEXT,
        refusal: (message) => new Error(message),
        open() {
          elements += 1;
          if (elements > MOST_ELEMENTS) throw new Error("The file has too many elements.");
        },
        take(element) {
          if (isPublished(element, "ServiceMetadataReference")) {
            references.push(element.attributes.href ?? "");
          }
          return false;
        },
      },
      signal,
    );
    if (root === undefined || !isPublished(root, "ServiceGroup"))
      throw new Error("no list of services");
  } catch {
    return unknown("The publisher's answer cannot be read.");
  }
  return { registered: "yes", ...servedBy(references), reason: null };
}

function isPublished({ name, namespace }: XmlElement, wanted: string): boolean {
  return name === wanted && namespace === PUBLISHING;
}
