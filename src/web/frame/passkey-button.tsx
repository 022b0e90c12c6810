/** The island that asks the browser for a passkey, writes its answer into a hidden field, and sends the form around it. */
import { useRef, useState } from "preact/hooks";
import { islandOf } from "../browser/island.ts";
import { useAlive } from "../browser/use-alive.ts";

/** The part of a WebAuthn request, as JSON, that this island reads: binary values are base64url. */
interface PasskeyRequest {
  readonly challenge: string;
  readonly user?: { readonly id: string; readonly name: string; readonly displayName: string };
  readonly allowCredentials?: readonly { readonly id: string }[];
  readonly excludeCredentials?: readonly { readonly id: string }[];
}

export interface PasskeyProps {
  /** The name of the hidden field. */
  readonly name: string;
  readonly label: string;
  /** A request with a `user` makes a passkey; any other one signs with an existing one. */
  readonly request: PasskeyRequest;
  /** What is said when the browser gives no passkey: one sentence, so that no page loads all texts about factors. */
  readonly failed: string;
}

function PasskeyButton({ name, label, request, failed }: PasskeyProps) {
  const is_alive = useAlive();
  const field = useRef<HTMLInputElement>(null);
  const [has_failed, setFailed] = useState(false);
  const ask = async () => {
    setFailed(false);
    try {
      const answer = await answerOf(request);
      if (field.current === null || answer === null) return;
      field.current.value = JSON.stringify(answer);
      field.current.form?.requestSubmit();
    } catch {
      // The person has cancelled, or the browser has no passkey of the login.
      setFailed(true);
    }
  };
  return (
    <>
      <input type="hidden" name={name} ref={field} />
      {is_alive && (
        <p class="buttons">
          <button type="button" class="button" onClick={() => void ask()}>
            {label}
          </button>
        </p>
      )}
      <p role="status">{has_failed && failed}</p>
    </>
  );
}

export const island = islandOf<PasskeyProps>({ name: "passkey-button", View: PasskeyButton });

async function answerOf(request: PasskeyRequest): Promise<object | null> {
  const { user, challenge, allowCredentials, excludeCredentials } = request;
  if (user === undefined) {
    const publicKey = {
      ...request,
      challenge: bytesOf(challenge),
      allowCredentials: listed(allowCredentials),
    } as unknown as PublicKeyCredentialRequestOptions;
    return sentOf(await navigator.credentials.get({ publicKey }));
  }
  const publicKey = {
    ...request,
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: listed(excludeCredentials),
  } as unknown as PublicKeyCredentialCreationOptions;
  return sentOf(await navigator.credentials.create({ publicKey }));
}

function listed(credentials: readonly { readonly id: string }[] = []) {
  return credentials.map((one) => ({ ...one, id: bytesOf(one.id) }));
}

function sentOf(made: Credential | null): object | null {
  if (!(made instanceof PublicKeyCredential)) return null;
  const { id, type, rawId, response } = made;
  const transports =
    response instanceof AuthenticatorAttestationResponse ? response.getTransports() : [];
  return {
    ...{ id, type, rawId: textOf(rawId), clientExtensionResults: made.getClientExtensionResults() },
    response: { ...partsOf(response), transports },
  };
}

function partsOf(response: AuthenticatorResponse): Readonly<Record<string, string>> {
  const clientDataJSON = textOf(response.clientDataJSON);
  if (response instanceof AuthenticatorAttestationResponse) {
    return { clientDataJSON, attestationObject: textOf(response.attestationObject) };
  }
  const { authenticatorData, signature } = response as AuthenticatorAssertionResponse;
  return {
    clientDataJSON,
    authenticatorData: textOf(authenticatorData),
    signature: textOf(signature),
  };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (one) => one.charCodeAt(0));
}

function textOf(buffer: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
