/** The API's document at /api/v1/openapi.json and a page to read it at /api/docs: no script, no other origin. */
import type { FastifyInstance } from "fastify";
import { renderToString } from "preact-render-to-string";
import { openApiOf } from "./openapi.ts";
import type { Route } from "./route.ts";
import { API_PREFIX } from "./server.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
      }
    >
  >;
}

interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Registers both addresses. They need no key: the description of the API is public. */
export function mountDocs(app: FastifyInstance, routes: readonly Route[], base_url: string): void {
  const document = openApiOf(routes, base_url);
  const json = JSON.stringify(document);
  const page = `<!doctype html>${renderToString(<Page document={document as unknown as Document} base_url={base_url} />)}`;
  app.get(`${API_PREFIX}/openapi.json`, (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(json),
  );
  app.get("/api/docs", (_request, reply) =>
    reply
      .headers({
        "content-security-policy":
          "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
        "x-frame-options": "DENY",
      })
      .type("text/html; charset=utf-8")
      .send(page),
  );
}

function Page({ document, base_url }: { document: Document; base_url: string }) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${document.info.title} API`}</title>
        <link rel="icon" type="image/svg+xml" href="/assets/matchbook.svg" />
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <nav>
          <strong>{document.info.title}</strong>
          {document.tags.map(({ name }) => (
            <section>
              <h2>{name}</h2>
              {operations
                .filter(({ operation }) => operation.tags.includes(name))
                .map(({ path, method, operation }) => (
                  <a href={`#${operation.operationId}`}>
                    <Method name={method} /> {path}
                  </a>
                ))}
            </section>
          ))}
          <section>
            <h2>Resources</h2>
            {Object.keys(document.components.schemas).map((name) => (
              <a href={`#schema-${name}`}>{name}</a>
            ))}
          </section>
        </nav>
        <main>
          <h1>{`${document.info.title} API ${document.info.version}`}</h1>
          {document.info.description.split("\n\n").map((paragraph) => (
            <p>
              <Prose text={paragraph} />
            </p>
          ))}
          <p>
            Base address <code>{base_url + API_PREFIX}</code>, machine-readable at{" "}
            <a href={`${API_PREFIX}/openapi.json`}>openapi.json</a>. Send your key as{" "}
            <code>Authorization: Bearer mbk_…</code>.
          </p>
          {operations.map(({ path, method, operation }) => (
            <OperationPart path={path} method={method} operation={operation} />
          ))}
          <h1>Resources</h1>
          {Object.entries(document.components.schemas).map(([name, schema]) => (
            <article id={`schema-${name}`}>
              <h3>{name}</h3>
              <Fields schema={schema} />
            </article>
          ))}
        </main>
      </body>
    </html>
  );
}

function OperationPart(props: { path: string; method: string; operation: Operation }) {
  const { path, method, operation } = props;
  const body = operation.requestBody?.content["application/json"]?.schema;
  return (
    <article id={operation.operationId}>
      <h3>
        <Method name={method} /> <code>{path}</code>
      </h3>
      <p class="summary">{operation.summary}</p>
      {operation.description.split("\n\n").map((paragraph) => (
        <p>
          <Prose text={paragraph} />
        </p>
      ))}
      {operation.parameters && (
        <table>
          <tbody>
            {operation.parameters.map((parameter) => (
              <tr>
                <td>
                  <code>{parameter.name}</code> {parameter.required && <em>required</em>}
                </td>
                <td>{parameter.in}</td>
                <td>
                  <Type schema={parameter.schema} />
                </td>
                <td>
                  <Prose text={parameter.description ?? ""} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {body && (
        <p>
          Body: <Type schema={body} />
        </p>
      )}
      <table>
        <tbody>
          {Object.entries(operation.responses).map(([status, response]) => (
            <tr>
              <td>
                <b class={status < "300" ? "good" : "bad"}>{status}</b>
              </td>
              <td>
                {status < "300"
                  ? Object.entries(response.content ?? {}).map(([type, { schema }]) =>
                      type === "application/json" ? <Type schema={schema} /> : <code>{type}</code>,
                    )
                  : response.description.split("\n\n").map((line) => (
                      <div>
                        <Prose text={line} />
                      </div>
                    ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  );
}

function Fields({ schema }: { schema: Schema }) {
  if (!schema.properties) return <Type schema={schema} />;
  return (
    <table>
      <tbody>
        {Object.entries(schema.properties).map(([name, field]) => (
          <tr>
            <td>
              <code>{name}</code> {schema.required?.includes(name) && <em>required</em>}
            </td>
            <td>
              <Type schema={field} />
            </td>
            <td>
              <Prose text={field.description ?? ""} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Type({ schema }: { schema: Schema }) {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return <a href={`#schema-${name}`}>{name}</a>;
  }
  if (schema.const !== undefined) return <code>{JSON.stringify(schema.const)}</code>;
  if (schema.enum)
    return <code>{schema.enum.map((value) => JSON.stringify(value)).join(" | ")}</code>;
  if (schema.anyOf) {
    return (
      <span>
        {schema.anyOf.map((part, index) => (
          <>
            {index > 0 && " or "}
            <Type schema={part} />
          </>
        ))}
      </span>
    );
  }
  if (schema.items) {
    return (
      <span>
        array of <Type schema={schema.items} />
      </span>
    );
  }
  if (schema.properties) return <Fields schema={schema} />;
  const types = [schema.type ?? "any"].flat().join(" or ");
  return <span>{schema.format ? `${types} (${schema.format})` : types}</span>;
}

function Method({ name }: { name: string }) {
  return <b class={`method ${name}`}>{name.toUpperCase()}</b>;
}

/** Plain text in which backquotes mark code. */
function Prose({ text }: { text: string }) {
  return (
    <>{text.split("`").map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
  );
}

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --soft: #8881; --link: #2563eb; }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 20rem minmax(0, 1fr); font: 15px/1.55 system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.25rem; border-right: 1px solid var(--line); font-size: 13px; }
nav strong { font-size: 17px; }
nav h2 { font-size: 11px; text-transform: uppercase; letter-spacing: .06em; opacity: .65; margin: 1.2rem 0 .3rem; }
nav a { display: block; padding: .12rem 0; color: inherit; overflow-wrap: anywhere; }
main { padding: 1.5rem 2.5rem 6rem; max-width: 62rem; }
h1 { font-size: 1.7rem; margin: 1rem 0; }
h3 { font-size: 1.05rem; margin: 0 0 .3rem; }
article { border-top: 1px solid var(--line); padding: 1.4rem 0; }
.summary { font-weight: 600; margin: .1rem 0; }
p { margin: .35rem 0; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
code { font: 12.5px ui-monospace, monospace; background: var(--soft); padding: .08em .3em; border-radius: 4px; overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; margin: .6rem 0; font-size: 13.5px; }
td { padding: .3rem .7rem .3rem 0; vertical-align: top; border-top: 1px solid var(--soft); }
em { font-style: normal; font-size: 11px; color: #b45309; }
.method { display: inline-block; min-width: 3.4em; font-size: 11px; letter-spacing: .03em; }
.get { color: #0f766e; } .post { color: #2563eb; } .patch, .put { color: #b45309; } .delete { color: #b91c1c; }
.good { color: #0f766e; } .bad { color: #b91c1c; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; } main { padding: 1rem; } }
`;
