import { encode } from "uqr";
import classes from "./qr.module.css";

/** A text as a QR code: the squares that are dark, as one path over `size` by `size`. */
export function qrOf(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { border: 2 });
  return { size, path: data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : []))).join("") };
}

/** A QR code, in ink on white in both schemes, because cameras want it so. Loaded when it is needed: `lazy(() => import(…))`. */
export default function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = qrOf(text);
  return (
    <svg className={classes.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <path d={path} />
    </svg>
  );
}
