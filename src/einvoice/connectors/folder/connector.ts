/** The connector to a folder of this machine, which an access point, an operator's program or a person empties. */
import { isAbsolute } from "node:path";
import type { EinvoiceConnector } from "../../connector.ts";
import { folderAccessPoint } from "../../transport/folder-access-point.ts";
import { envelopeField, folderCapabilities } from "../../transport/folder-settings.ts";
import { localFault, localFiles } from "./local-files.ts";

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
    envelopeField,
  ],
  place: ["path", "envelope"],
  capabilities(settings) {
    const { path } = settings;
    if (path !== undefined && !isAbsolute(path)) throw new Error("`path` must be absolute.");
    return folderCapabilities(settings);
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
