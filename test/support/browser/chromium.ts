/** Where a Chromium is on this machine; undefined where there is none, and tests that need one are skipped. */
import { existsSync } from "node:fs";

export const chromiumPath: string | undefined = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find((path) => path !== undefined && path !== "" && existsSync(path));
