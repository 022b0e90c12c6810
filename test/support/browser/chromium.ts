/** The Chromium of this machine; tests that need one are skipped where there is none. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Undefined where there is none. */
export const chromiumPath: string | undefined = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find((path) => path !== undefined && path !== "" && existsSync(path));

/** Whoever starts it closes it. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? "",
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
}
