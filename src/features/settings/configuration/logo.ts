/**
 * Stores the seller's logo. Its bytes are kept permanently under their hash, because an issued document refers to the exact
 * picture with which it was issued; the seller refers to the current picture.
 */
import * as z from "zod";
import { Problem } from "../../../domain/base/problem.ts";
import type { SellerLogo } from "../../../domain/sales/document.ts";
import { defineCommand } from "../../../platform/commands/command.ts";
import type { Reader } from "../../../platform/commands/context.ts";
import { sql } from "../../../platform/database/sql.ts";
import type { ReplyFile } from "../../../platform/http/route.ts";
import { type JsonText, jsonText, sha256 } from "../../../platform/runtime/json.ts";
import { LruCache } from "../../../platform/runtime/lru-cache.ts";
import { getConfiguration } from "./queries.ts";
import { pictureFrom, plainOf } from "./read-picture.ts";
import { changeSeller } from "./save.ts";
import { LogoPut, LogoResource } from "./schemas.ts";

/** Makes a picture the seller's logo from now on. Throws VALIDATION_FAILED. */
export const putLogo = defineCommand({
  name: "put_logo",
  access: "write",
  input: LogoPut,

  async plan(_cx, { content }) {
    const bytes = Buffer.from(content, "base64");
    const { content_type, width, height, plain } = pictureFrom(bytes);
    return {
      bytes,
      plain,
      logo: { sha256: sha256(bytes).toString("hex"), content_type, width, height },
    };
  },

  async commit(tx, { bytes, plain, logo }): Promise<JsonText> {
    tx.write(sql`insert into seller_logos (account_id, sha256, content_type, width, height, content, plain)
       values (${tx.caller.account_id}, ${Buffer.from(logo.sha256, "hex")}, ${logo.content_type}, ${logo.width}, ${logo.height}, ${bytes}, ${plain}) on conflict do nothing`);
    await changeSeller(tx, (seller) => ({ ...seller, logo }));
    return jsonText(LogoResource.parse({ object: "logo", ...logo }));
  },
});

/** Removes the logo from new documents; issued documents keep their logo. Throws NOT_FOUND. */
export const removeLogo = defineCommand({
  name: "remove_logo",
  access: "write",
  input: z.object({}),

  async plan(tx) {
    await getLogo(tx);
  },

  async commit(tx): Promise<void> {
    await changeSeller(tx, ({ logo: _, ...seller }) => seller);
  },
});

/** Returns the current picture, as it was sent. Throws NOT_FOUND. */
export async function logoReply(cx: Reader): Promise<ReplyFile> {
  const logo = await getLogo(cx);
  const extension = logo.content_type === "image/png" ? "png" : "jpg";
  return {
    content_type: logo.content_type,
    filename: `logo.${extension}`,
    content: (await findLogo(cx, logo)).content,
  };
}

/** Cached printed logos, limited in bytes, by account and hash; the bytes of a hash never change. */
const printed = new LruCache<string, Buffer>(8_000_000);

/** Returns a logo, current or frozen with a document, in its printed form: a JPEG as sent, a PNG normalized from its bytes. */
export async function printedLogo(cx: Reader, logo: SellerLogo): Promise<Buffer> {
  const key = `${cx.caller.account_id} ${logo.sha256}`;
  const known = printed.get(key);
  if (known !== undefined) return known;
  const { content, plain } = await findLogo(cx, logo);
  // Pictures stored before the normalization was introduced have no stored plain form.
  const bytes = plain ?? (logo.content_type === "image/jpeg" ? content : plainOf(content));
  printed.set(key, bytes, bytes.length);
  return bytes;
}

interface LogoRow {
  readonly content: Buffer;
  readonly plain: Buffer | null;
}

async function findLogo(cx: Reader, logo: SellerLogo): Promise<LogoRow> {
  const row = await cx.row<LogoRow>(
    sql`select content, plain from seller_logos where account_id = ${cx.caller.account_id} and sha256 = ${Buffer.from(logo.sha256, "hex")}`,
  );
  if (row === undefined) throw new Error(`the logo ${logo.sha256} is not there`);
  return row;
}

async function getLogo(cx: Reader): Promise<SellerLogo> {
  const { seller } = await getConfiguration(cx);
  if (seller?.logo === undefined) throw new Problem("NOT_FOUND");
  return seller.logo;
}
