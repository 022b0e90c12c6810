/** A button that copies a text. Without scripts, or where the browser offers no clipboard, the text is selected by hand. */
import { useState } from "preact/hooks";
import type { IslandOf } from "../browser/island.ts";
import { useAlive } from "../browser/use-alive.ts";
import { useReader } from "../frame/reader.ts";

interface CopyProps {
  readonly text: string;
}

function CopyText({ text }: CopyProps) {
  const { assistants: words } = useReader().words;
  const is_alive = useAlive();
  const [is_copied, setCopied] = useState(false);
  if (!is_alive || navigator.clipboard === undefined) return <span />;
  return (
    <span class="row">
      <button
        type="button"
        class="button"
        onClick={() => {
          void navigator.clipboard.writeText(text).then(() => setCopied(true));
        }}
      >
        {words.copy}
      </button>
      <span role="status" class="small soft">
        {is_copied ? words.copied : ""}
      </span>
    </span>
  );
}

export const island: IslandOf<CopyProps> = { name: "copy-text", View: CopyText };
