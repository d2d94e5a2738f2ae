// Writes server/openapi.json from the routes.
import { writeFile } from "node:fs/promises";
import { describeInterface } from "../src/surfaces/description.ts";

await writeFile(new URL("../openapi.json", import.meta.url), `${JSON.stringify(describeInterface(), null, 2)}\n`);
