/** The credentials: where the service is, and an API key. They are tested by asking for the key itself. */
import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from "n8n-workflow";

export class MatchbookApi implements ICredentialType {
  name = "matchbookApi";
  displayName = "Matchbook API";
  properties: INodeProperties[] = [
    {
      displayName: "Address",
      name: "baseUrl",
      type: "string",
      default: "",
      placeholder: "https://matchbook.example.com",
      required: true,
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      description: "A key with scope read_write; one with scope read is enough for reading",
    },
  ];
  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{ $credentials.apiKey }}" } },
  };
  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{ $credentials.baseUrl.replace(/\\/+$/, "") }}/api/v1',
      url: "/key",
    },
  };
}
