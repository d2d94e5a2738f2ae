export { runFirst } from "./commands.ts";
