/**
 * Pages whose form carries a file. The file may be large, so its body is read only for an admin who is signed in; the check of the
 * form itself follows in `page.tsx`, as for every form.
 */
import type { FastifyInstance, FastifyRequest, RouteOptions } from "fastify";
import { Problem } from "../../domain/base/problem.ts";
import { FileForm, fileFormFrom, MULTIPART } from "../../platform/http/multipart.ts";
import type { Services } from "../../platform/runtime/services.ts";
import { requireOwnOrigin } from "../../platform/security/sessions/csrf.ts";
import { readSession, tokenFromCookies } from "../../platform/security/sessions/session.ts";

/** The largest file, and what its form needs around it. */
export const MOST_FILE_BYTES = 10_000_000;
const MOST_BODY = MOST_FILE_BYTES + 50_000;

/** Registers the routes of pages that take a file. Other bodies than forms with a file are read as elsewhere. */
export function mountFileForms(
  web: FastifyInstance,
  services: Services,
  routes: readonly RouteOptions[],
): void {
  web.register(async (files) => {
    files.addContentTypeParser(
      MULTIPART,
      { parseAs: "buffer", bodyLimit: MOST_BODY },
      async (request: FastifyRequest, body: Buffer) =>
        fileFormFrom(request.headers["content-type"] ?? "", body),
    );
    files.addHook("preParsing", async (request) => {
      const is_file = request.headers["content-type"]?.toLowerCase().startsWith(MULTIPART);
      if (is_file) await requireAdmin(services, request);
    });
    for (const route of routes) files.route(route);
  });
}

/** Returns the fields and the file of a form; a form of other pages has no file. */
export function sentForm(body: unknown): FileForm {
  if (body instanceof FileForm) return body;
  return new FileForm((body ?? {}) as FileForm["fields"], null);
}

async function requireAdmin(services: Services, { headers }: FastifyRequest): Promise<void> {
  const { base_url } = services.config;
  requireOwnOrigin(headers, base_url);
  const { caller } = await readSession(services.gate, tokenFromCookies(base_url, headers.cookie));
  if (caller?.person == null) throw new Problem("UNAUTHORIZED");
  if (caller.person.role !== "admin") throw new Problem("NOT_FOUND");
}
