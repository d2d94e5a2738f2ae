import { renderSVG } from "uqr";

/** The address of a link as a QR code, for a screen or for print: dark on light, with the border that readers expect. */
export function qrCode({ url }: { url: string }): string {
  return renderSVG(url, { ecc: "M", border: 4 });
}
