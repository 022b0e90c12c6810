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

/** What suggests addresses in the bar of a window that nobody sees: two pages of its own for every context, as much work as what is looked at. */
const ADDRESS_BAR = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"];
/** Only the last list counts, so that Playwright's (1.65) is said again. */
const OFF_AS_USUAL = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/** Whoever starts it closes it. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? "",
    args: [
      "--no-sandbox",
      "--disable-dev-shm-usage",
      `--disable-features=${[...OFF_AS_USUAL, ...ADDRESS_BAR].join()}`,
    ],
  });
}
