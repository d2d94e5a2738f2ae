import { useState } from "react";
import classes from "./monogram.module.css";

type Props = { src: string | null; size?: number; onFail?(): void; children?: React.ReactNode };

/** A logo, or what stands for it while there is none: a monogram, say. Squares both, so that nothing moves. */
export function Logo({ src, size = 20, onFail, children }: Props) {
  const [failed, setFailed] = useState<string | null>(null);
  if (src === null || failed === src) return children;
  const fail = () => {
    setFailed(src);
    onFail?.();
  };
  return <img className={classes.logo} src={src} width={size} height={size} alt="" onError={fail} />;
}
