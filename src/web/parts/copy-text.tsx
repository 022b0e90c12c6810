/** A button that copies a text. Without scripts, or where the browser offers no clipboard, the text is selected by hand. */
import { useState } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { useAlive } from "../browser/use-alive.ts";

interface CopyProps {
  readonly text: string;
  /** What the button says, and what is said after it. */
  readonly copy: string;
  readonly copied: string;
}

function CopyText({ text, copy, copied }: CopyProps) {
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
        {copy}
      </button>
      <span role="status" class="small soft">
        {is_copied ? copied : ""}
      </span>
    </span>
  );
}

export const island = islandOf<CopyProps>({ name: "copy-text", View: CopyText });
