/** The tables of e-invoices, in the form of `tables.ts`. */

import type { Timestamp } from "../../domain/base/brand.ts";

export interface EinvoiceTables {
  einvoice_lookups: {
    account_id: string;
    address: string;
    registered: "yes" | "no" | "unknown";
    formats: string[];
    answers: boolean;
    source: string;
    looked_up_at: Timestamp;
  };
  einvoice_inbound: {
    account_id: string;
    identity: Buffer;
    delivery_id: string;
    outcome: "stored" | "refused";
    content: Buffer;
    received_at: Timestamp;
  };
}
