/** The connector to a folder of this machine, which an access point, an operator's program or a person empties. */
import { isAbsolute } from "node:path";
import type { EinvoiceCapabilities } from "../../access-point.ts";
import type { EinvoiceConnector } from "../../connector.ts";
import { folderAccessPoint } from "../../transport/folder-access-point.ts";
import { localFault, localFiles } from "./local-files.ts";

const PLAIN: EinvoiceCapabilities = {
  envelope: "none",
  formats: ["peppol-bis-3", "oioubl-2.1"],
  finds: false,
  reports: false,
};

/** The directory sender of phoss-ap takes the envelopes and answers in files beside them. */
const IN_ENVELOPES: EinvoiceCapabilities = {
  envelope: "sbd",
  formats: ["peppol-bis-3"],
  finds: false,
  reports: true,
};

export const folderConnector: EinvoiceConnector = {
  kind: "folder",
  title: "Folder",
  fields: [
    {
      name: "path",
      is_secret: false,
      is_required: false,
      description:
        "The absolute path of a folder that exists; without it, one in the data directory.",
    },
    {
      name: "envelope",
      is_secret: false,
      is_required: false,
      description:
        "What the files hold: `none` for the e-invoice alone, `sbd` for a Standard Business Document, which phoss-ap sends.",
    },
  ],
  place: ["path", "envelope"],
  capabilities({ path, envelope = "none" }) {
    if (path !== undefined && !isAbsolute(path)) throw new Error("`path` must be absolute.");
    if (envelope !== "none" && envelope !== "sbd") {
      throw new Error("`envelope` must be `none` or `sbd`.");
    }
    return envelope === "sbd" ? IN_ENVELOPES : PLAIN;
  },
  open({ settings, default_path }) {
    const { path } = settings;
    return folderAccessPoint({
      kind: "folder",
      files: localFiles(path ?? default_path, path === undefined),
      capabilities: folderConnector.capabilities(settings),
      faultOf: localFault,
    });
  },
};
