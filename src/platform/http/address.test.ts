/** The error for an unavailable address names the wrong setting. */
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { errorOfListening, requireAddress } from "./address.ts";

describe("requireAddress", () => {
  it("leaves a free port free", async () => {
    await requireAddress({ host: "127.0.0.1", port: 0 });
  });

  it("names PORT while another program listens on it", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    try {
      await expect(requireAddress({ host: "127.0.0.1", port })).rejects.toThrow(
        `The settings are not valid. PORT: another program listens on ${port} of 127.0.0.1`,
      );
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
    await requireAddress({ host: "127.0.0.1", port });
  });

  it.each(["nope.invalid", "192.0.2.1"])("names HOST for %s", async (host) => {
    await expect(requireAddress({ host, port: 0 })).rejects.toThrow(
      `The settings are not valid. HOST: ${host} is no address of this machine`,
    );
  });
});

describe("errorOfListening", () => {
  it("names PORT if the system forbids it and HOST without such addresses, and returns other errors unchanged", () => {
    const forbidden = Object.assign(new Error(), { syscall: "listen", code: "EACCES" });
    const address = { host: "127.0.0.1", port: 80 };
    expect(String(errorOfListening(forbidden, address))).toContain(
      "PORT: cannot listen on 80 of 127.0.0.1 (EACCES)",
    );
    const no_ipv6 = Object.assign(new Error(), { syscall: "listen", code: "EAFNOSUPPORT" });
    expect(String(errorOfListening(no_ipv6, { host: "::1", port: 80 }))).toContain(
      "HOST: ::1 is no address of this machine (EAFNOSUPPORT)",
    );
    const other = new Error("other");
    expect(errorOfListening(other, address)).toBe(other);
  });
});
