type Attributes = Readonly<Record<string, string>>;

/** An element with attributes and children. Texts become text nodes: nothing that anybody writes is ever read as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** An icon of lines, which says nothing: its button has a name. */
export function icon(path: string): SVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  const drawn = { viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": "2", "aria-hidden": "true" };
  for (const [key, value] of Object.entries(drawn)) svg.setAttribute(key, value);
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", path);
  line.setAttribute("stroke-linecap", "round");
  line.setAttribute("stroke-linejoin", "round");
  svg.append(line);
  return svg;
}
