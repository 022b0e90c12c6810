/** Every page: the table of contents. */
import { activityPages } from "./activity.tsx";
import { consentPages } from "./consent.tsx";
import type { Page } from "./frame/page.tsx";
import { passwordPages } from "./passwords.tsx";
import { settingsPages } from "./settings.tsx";
import { signInPages } from "./sign-in.tsx";

export const pages: readonly Page[] = [
  ...signInPages,
  ...passwordPages,
  ...consentPages,
  ...settingsPages,
  ...activityPages,
];
