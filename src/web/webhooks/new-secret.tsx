/** Shows a new secret of an endpoint with a button that copies it; where it is not known any more, only the sentence. */
import { Island } from "../frame/island.tsx";
import { useReader } from "../frame/reader.ts";
import { island as copyText } from "../parts/copy-text.tsx";

export function NewSecret(props: { secret: string | null; text: string; hint: string }) {
  const { secret, text, hint } = props;
  const { settings: words } = useReader().words;
  if (secret === null) {
    return (
      <p class="warning" role="alert">
        {text}
      </p>
    );
  }
  return (
    <div role="status">
      <p class="notice">{text}</p>
      <pre class="secret" id="new-secret">
        {secret}
      </pre>
      <Island of={copyText} with={{ text: secret, copy: words.copy, copied: words.copied }} />
      <p class="small soft">{hint}</p>
    </div>
  );
}
