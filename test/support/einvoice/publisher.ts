/** A publisher of receivers (SMP) over HTTP, which answers by the last digits of the address; it notes what it was asked. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Publisher {
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** `127.0.0.1:port` */
  readonly host: string;
  /** The paths that were asked for, decoded. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** How the publisher answers about an address. */
type Published =
  | { readonly types: readonly string[] }
  | { readonly body: string | Buffer }
  | { readonly status: number; readonly location?: string }
  | "silent";

export const DOCUMENT_TYPES = {
  invoice:
    "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Invoice-2::Invoice##urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0::2.1",
  response:
    "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:ApplicationResponse-2::ApplicationResponse##urn:fdc:peppol.eu:poacc:trns:invoice_response:3::2.1",
  order:
    "busdox-docid-qns::urn:oasis:names:specification:ubl:schema:xsd:Order-2::Order##urn:fdc:peppol.eu:poacc:trns:order:3::2.1",
} as const;

/** Starts the publisher. An address that is not listed is 404. */
export async function startPublisher(
  published: Readonly<Record<string, Published>>,
): Promise<Publisher> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "");
    asked.push(path);
    const address = path.replace("/iso6523-actorid-upis::", "");
    const one = published[address];
    if (one === undefined) return response.writeHead(404).end();
    if (one === "silent") return undefined;
    if ("status" in one) {
      return response.writeHead(one.status, one.location ? { location: one.location } : {}).end();
    }
    response.setHeader("content-type", "application/xml");
    return response.end("body" in one ? one.body : serviceGroup(address, one.types));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The list of services of a receiver, as publishers of Peppol write it. */
export function serviceGroup(address: string, types: readonly string[]): string {
  const participant = `iso6523-actorid-upis%3A%3A${encodeURIComponent(address)}`;
  const references = types.map(
    (type) =>
      `<ServiceMetadataReference href="https://smp.example/${participant}/services/${encodeURIComponent(type)}"/>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<ServiceGroup xmlns="http://busdox.org/serviceMetadata/publishing/1.0/" xmlns:ids="http://busdox.org/transport/identifiers/1.0/">
  <ids:ParticipantIdentifier scheme="iso6523-actorid-upis">${address}</ids:ParticipantIdentifier>
  <ServiceMetadataReferenceCollection>${references.join("")}</ServiceMetadataReferenceCollection>
</ServiceGroup>`;
}
