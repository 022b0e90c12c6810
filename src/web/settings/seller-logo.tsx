/** Chooses and removes the logo, a part of the island of the company. A picture is too large for a form, so it needs a script. */
import { useState } from "preact/hooks";
import { send } from "../browser/send.ts";
import { useAlive } from "../browser/use-alive.ts";
import { Form, Submit } from "../frame/form.tsx";
import { useReader } from "../frame/reader.ts";
import { Card } from "../parts/facts.tsx";

/** The stored logo by its hash, and the form that removes it. */
export interface LogoShown {
  readonly sha256: string | null;
  readonly remove_action: string;
  readonly remove_csrf: string;
}

export function SellerLogoCard(props: LogoShown & { onStored(sha256: string): void }) {
  const { sha256, remove_action, remove_csrf, onStored } = props;
  const words = useReader().words.company;
  const is_alive = useAlive();
  const [said, setSaid] = useState("");
  const store = async (file: File | undefined) => {
    if (file === undefined) return;
    setSaid("");
    const content = await base64Of(file);
    const answer = await send<{ readonly sha256: string }>("/app/settings/logo", { content });
    if ("done" in answer) onStored(answer.done.sha256);
    else setSaid("lost" in answer ? words.logo_lost : words.logo_fault);
  };
  return (
    <Card title={words.logo} id="logo-card">
      <div class="pad">
        <div class="field">
          <label for="logo">{words.choose_logo}</label>
          <input
            class="input"
            id="logo"
            type="file"
            accept="image/png,image/jpeg"
            aria-describedby="logo-hint"
            disabled={!is_alive}
            onChange={({ currentTarget }) => void store(currentTarget.files?.[0])}
          />
          <span class="tiny quiet" id="logo-hint">
            {words.logo_hint}
          </span>
        </div>
        <p class="fault" role="status">
          {said}
        </p>
        {!is_alive && (
          <noscript>
            <p class="small quiet">{words.logo_script}</p>
          </noscript>
        )}
        {sha256 !== null && (
          <Form action={remove_action} csrf={remove_csrf}>
            <Submit text={words.remove_logo} is_secondary />
          </Form>
        )}
      </div>
    </Card>
  );
}

async function base64Of(file: File): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(",") + 1);
}
