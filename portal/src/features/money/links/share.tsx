import { Button } from "@mantine/core";
import { Download } from "lucide-react";
import Qr, { qrOf } from "../../../ui/qr.tsx";
import type { AffiliateLink } from "./data.ts";
import classes from "./links.module.css";

const PRINT_PX = 1_024;

function save(blob: Blob, name: string): void {
  const href = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

/** The code as a file that stands alone, for print. */
function svgOf(url: string): Blob {
  const { size, path } = qrOf(url);
  const drawn = `<rect width="${size}" height="${size}" fill="white"/><path d="${path}" fill="black"/>`;
  const frame = `xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${PRINT_PX}" height="${PRINT_PX}"`;
  return new Blob([`<svg ${frame} shape-rendering="crispEdges">${drawn}</svg>`], { type: "image/svg+xml" });
}

/** The same as pixels; each square has the same number of them. */
function pngOf(url: string): Promise<Blob> {
  const { size, path } = qrOf(url);
  const scale = Math.ceil(PRINT_PX / size);
  const canvas = Object.assign(document.createElement("canvas"), { width: size * scale, height: size * scale });
  const pen = canvas.getContext("2d");
  if (pen === null) return Promise.reject(new Error("This browser draws no pictures."));
  pen.fillStyle = "white";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.scale(scale, scale);
  pen.fillStyle = "black";
  pen.fill(new Path2D(path));
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error("The picture was not made.")) : resolve(blob)), "image/png"),
  );
}

/** The link as a QR code, to look at and to take along. Loaded when it is needed. */
export default function Share({ link: { url, code } }: { link: AffiliateLink }) {
  return (
    <div className={classes.share}>
      <Qr text={url} label={`QR code of ${url}`} />
      <div>
        <Button variant="default" leftSection={<Download />} onClick={() => save(svgOf(url), `${code}.svg`)}>
          SVG
        </Button>
        <Button
          variant="default"
          leftSection={<Download />}
          onClick={() => void pngOf(url).then((blob) => save(blob, `${code}.png`))}
        >
          PNG
        </Button>
      </div>
    </div>
  );
}
