import { type Route, route, uploadRoute } from "../../../../platform/http/route.ts";
import { downloadAttachment, uploadAttachment } from "./commands.ts";
import { FILE_BYTES_MAX } from "./model.ts";
import { Attachment, UploadQuery } from "./schema.ts";

export const attachmentRoutes: Route[] = [
  uploadRoute({
    operation: "attachments.create",
    method: "POST",
    path: "/attachments",
    summary: "Upload a file",
    description:
      "The body is the file, up to 10 MiB. Messages name it in `attachment_ids`; a file that no message uses is deleted after a day.",
    scope: "conversations:write",
    partner_wide: false,
    params: {},
    query: UploadQuery,
    upload: { type: "application/octet-stream", bytes_max: FILE_BYTES_MAX },
    errors: ["storage_limit_reached", "account_required", "client_inactive"],
    reply: { status: 201, schema: Attachment },
    handle: (ctx, { query, body }) => uploadAttachment(ctx, query, body),
  }),
  route({
    operation: "attachments.download",
    method: "GET",
    path: "/attachments/{id}",
    summary: "Download a file",
    description: "PNG, JPEG, GIF and WebP can be shown by a browser; anything else is for saving.",
    scope: "conversations:read",
    partner_wide: false,
    params: { id: "attachment" },
    reply: { status: 200, stream: "file" },
    handle: (ctx, { params }) => downloadAttachment(ctx, params.id),
  }),
];
