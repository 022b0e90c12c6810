/** Names the browser and the system of a User-Agent header, so that a person recognizes where they are signed in. */

/** Names of browsers by their marks. Most browsers also have the marks of those after them. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgi?A?(?:OS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** Returns for example `Firefox, Windows`; null where neither the browser nor the system is known. */
export function browserName(user_agent: string | null): string | null {
  const names = [BROWSERS, SYSTEMS].flatMap(
    (marks) => marks.find(([mark]) => mark.test(user_agent ?? ""))?.[1] ?? [],
  );
  return names.length === 0 ? null : names.join(", ");
}
