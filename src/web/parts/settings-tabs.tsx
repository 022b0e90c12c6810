/** The tabs of the settings. Standard users have none: they see only their own changes. */
import { useReader } from "../frame/reader.ts";
import { Tabs } from "./list.tsx";

const PLACES = [
  "company",
  "invoicing",
  "reminders",
  "einvoices",
  "vat",
  "bank-accounts",
  "months",
  "developer",
] as const;

/** Shows the tabs of the settings of an account; `current` is the address of the page. */
export function SettingsTabs({ current }: { current: string }) {
  const { nav, settings_tabs: words } = useReader().words;
  return (
    <Tabs
      label={nav.settings}
      current={current}
      tabs={[
        ...PLACES.map((place) => ({ href: `/settings/${place}`, word: words[place] })),
        { href: "/settings/audit", word: nav.activity },
      ]}
    />
  );
}
