export { makeDemoLink, runFirst } from "./commands.ts";
