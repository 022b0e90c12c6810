/** Checks HOST and PORT before anything starts, so that an error names the setting and leaves no database running. */
import { createServer } from "node:net";

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Throws an Error that names the setting when the process cannot listen on the address now. */
export function requireAddress({ host, port }: ListenAddress): Promise<void> {
  const listener = createServer();
  return new Promise((resolve, reject) => {
    listener.once("error", (error) => reject(errorOfListening(error, { host, port })));
    listener.listen({ host, port }, () => listener.close(() => resolve()));
  });
}

/** `EAFNOSUPPORT` is the code for an IPv6 address on a machine without IPv6. */
const UNUSABLE_ADDRESS: ReadonlySet<string> = new Set(["EADDRNOTAVAIL", "EINVAL", "EAFNOSUPPORT"]);

/** Converts the system's error about an address to a sentence about the setting; other errors are returned unchanged. */
export function errorOfListening(error: unknown, { host, port }: ListenAddress): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === "getaddrinfo" || UNUSABLE_ADDRESS.has(code ?? "")) {
    return notValid(`HOST: ${host} is no address of this machine (${code})`);
  }
  if (code === "EADDRINUSE") return notValid(`PORT: another program listens on ${port} of ${host}`);
  if (syscall === "listen" || syscall === "bind") {
    return notValid(`PORT: cannot listen on ${port} of ${host} (${code})`);
  }
  return error;
}

function notValid(fault: string): Error {
  return new Error(`The settings are not valid. ${fault}`);
}
