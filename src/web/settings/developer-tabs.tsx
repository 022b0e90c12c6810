/** The tabs of the settings, and below them those of the pages for developers. */
import { useReader } from "../frame/reader.ts";
import { Tabs } from "../parts/list.tsx";
import { SettingsTabs } from "../parts/settings-tabs.tsx";

const DEVELOPER = "/settings/developer";

/** Shows both; `current` is the address of the page for developers, or of the one that it belongs to. */
export function DeveloperTabs({ current }: { current: string }) {
  const { developer: words, settings } = useReader().words;
  return (
    <>
      <SettingsTabs current={DEVELOPER} />
      <div>
        <Tabs
          label={settings.developer}
          current={current}
          tabs={[
            { href: DEVELOPER, word: settings.keys },
            { href: `${DEVELOPER}/webhooks`, word: words.webhooks },
            { href: `${DEVELOPER}/events`, word: words.events },
          ]}
        />
      </div>
    </>
  );
}
