/** Shows a new secret of an endpoint with a button that copies it; where it is not known any more, only the sentence. */
import type { WebhookEndpointResource } from "../../features/integrations/webhooks/schemas.ts";
import { Island } from "../frame/island.tsx";
import { useReader } from "../frame/reader.ts";
import { island as copyText } from "../parts/copy-text.tsx";
import { webhookWords } from "./webhook-words.ts";

export function NewSecret(props: {
  secret: string | null;
  text: string;
  format: WebhookEndpointResource["format"];
}) {
  const { secret, text, format } = props;
  const { language, words } = useReader();
  const { secret_unused, secret_use } = webhookWords(language);
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
      <Island
        of={copyText}
        with={{ text: secret, copy: words.settings.copy, copied: words.settings.copied }}
      />
      <p class="small soft">{format === "text" ? secret_unused : secret_use}</p>
    </div>
  );
}
