/** The connector to a folder of another machine over SFTP. The host's key is fixed by the operator, so no other host answers. */
import type { EinvoiceConnector } from "../../connector.ts";
import { folderAccessPoint } from "../../transport/folder-access-point.ts";
import { envelopeField, folderCapabilities } from "../../transport/folder-settings.ts";
import { remoteFault, remoteFiles } from "./remote-files.ts";
import { sftpSession } from "./session.ts";

const shown = (name: string, is_required: boolean, description: string) => {
  return { name, is_secret: false, is_required, description };
};
const secret = (name: string, description: string) => {
  return { name, is_secret: true, is_required: false, either: "login", description };
};

export const sftpConnector: EinvoiceConnector = {
  kind: "sftp",
  title: "SFTP",
  fields: [
    shown("host", true, "The host, which MATCHBOOK_EINVOICE_HOSTS lists."),
    shown("port", false, "The port, 22 if not given."),
    shown("user", true, "The user who signs in."),
    shown("host_key", true, "The fingerprint of the host's key, as `SHA256:` and base64."),
    shown("path", true, "The folder on the host, which exists."),
    envelopeField,
    secret("password", "The user's password, or else a private key."),
    secret("private_key", "The user's private key in the format of OpenSSH or PEM, unencrypted."),
  ],
  place: ["host", "port", "path", "envelope"],
  capabilities(settings) {
    const { host = "", port = "22", host_key = "" } = settings;
    if (!/^[\w.:-]+$/.test(host)) throw new Error("`host` must be a host name or an IP address.");
    if (!/^[1-9]\d{0,4}$/.test(port)) throw new Error("`port` must be a number.");
    if (!/^SHA256:[A-Za-z0-9+/]{43}=?$/.test(host_key)) {
      throw new Error("`host_key` must be `SHA256:` and 43 characters, as `ssh-keygen -lf` shows.");
    }
    return folderCapabilities(settings);
  },
  open({ settings, secrets, connect }) {
    const capabilities = sftpConnector.capabilities(settings);
    const { host = "", port = "22", user = "", host_key = "", path = "" } = settings;
    const session = sftpSession({
      connect: (signal) => connect(host, Number(port), signal),
      username: user,
      host_key: host_key.replace(/=$/, ""),
      password: secrets.password,
      private_key: secrets.private_key,
    });
    const files = remoteFiles(session, path.replace(/\/+$/, ""));
    return folderAccessPoint({ kind: "sftp", files, capabilities, faultOf: remoteFault });
  },
};
