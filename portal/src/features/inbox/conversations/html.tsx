import { createElement, useMemo } from "react";
import classes from "./html.module.css";

/** What is shown of HTML that strangers wrote, and as what: headings of a mail are none of the page. */
const TAGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["h1", "h2", "h3", "h4", "h5", "h6"].map((name) => [name, "p"])),
  ...Object.fromEntries(
    "p div br hr blockquote pre ul ol li dl dt dd table thead tbody tfoot tr td th caption b i u s em strong small sub sup code span del ins"
      .split(" ")
      .map((name) => [name, name]),
  ),
};

/** Written between the parts of a table, it is no content. */
const ROWS = new Set(["table", "thead", "tbody", "tfoot", "tr"]);

const LINK = /^(https?:|mailto:|tel:)/i;

function shown(node: Node, key: number, image: (element: Element, key: number) => React.ReactNode): React.ReactNode {
  if (node.nodeType === Node.TEXT_NODE) {
    const between = node.parentElement !== null && ROWS.has(node.parentElement.localName);
    return between && node.textContent?.trim() === "" ? null : node.textContent;
  }
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  if (name === "img") return image(node, key);
  const children = [...node.childNodes].map((child, index) => shown(child, index, image));
  const dir = node.getAttribute("dir");
  const props: Record<string, unknown> = { key, ...(dir === "rtl" || dir === "ltr" ? { dir } : {}) };
  const href = node.getAttribute("href") ?? "";
  if (name === "a" && LINK.test(href))
    return createElement("a", { ...props, className: "link", href, target: "_blank", rel: "noreferrer nofollow" }, ...children);
  const tag = TAGS[name];
  if (tag === undefined) return createElement("span", props, ...children);
  if (tag === "br" || tag === "hr") return createElement(tag, props);
  if (/^h\d$/.test(name)) props.className = classes.heading;
  if (tag === "table") props.role = "presentation";
  for (const span of ["colSpan", "rowSpan"])
    if (/^\d{1,3}$/.test(node.getAttribute(span) ?? "")) props[span] = Number(node.getAttribute(span));
  return createElement(tag, props, ...children);
}

/** How many images HTML would load, if it were asked to. */
export const imagesIn = (html: string) => html.match(/<img\b[^>]*\bdata-src=/gi)?.length ?? 0;

type Props = {
  html: string;
  /** The addresses of its images, once they were asked for; an empty one could not be loaded. */
  images: readonly string[] | undefined;
};

/**
 * HTML of a mail. The service has made it safe; here it is read as a document that runs nothing, and only elements that are known are
 * made of it. Images come through the service, when they are asked for, so that their sender learns nothing about the reader.
 */
export function Html({ html, images }: Props) {
  const content = useMemo(() => {
    let number = 0;
    const image = (element: Element, key: number) => {
      const alt = element.getAttribute("alt") ?? "";
      if (!element.hasAttribute("data-src")) return null;
      number += 1;
      const address = images?.[number - 1];
      if (address) return <img key={key} src={address} alt={alt} />;
      return alt === "" ? null : <em key={key}>{alt}</em>;
    };
    const { body } = new DOMParser().parseFromString(html, "text/html");
    return [...body.childNodes].map((node, index) => shown(node, index, image));
  }, [html, images]);
  return (
    <div className={classes.mail} data-mail>
      {content}
    </div>
  );
}
