import { Button } from "@mantine/core";
import { useState } from "react";
import { Bulk } from "../../ui/bar.tsx";
import type { Payout } from "./data.ts";
import { Mark } from "./mark.tsx";
import { totalsOf, totalsText } from "./words.tsx";

/** What is done with the payouts that are selected: only what their states allow. */
export function Chosen({ chosen, clear }: { chosen: readonly Payout[]; clear(): void }) {
  const [as, setAs] = useState<"paid" | "failed" | null>(null);
  const open = chosen.filter(({ status }) => status === "scheduled" || status === "processing");
  return (
    <>
      <Bulk count={chosen.length} note={totalsText(totalsOf(chosen))} clear={clear}>
        <Button variant="subtle" disabled={open.length === 0} onClick={() => setAs("paid")}>
          Mark paid…
        </Button>
        <Button variant="subtle" disabled={open.length === 0} onClick={() => setAs("failed")}>
          Mark failed…
        </Button>
      </Bulk>
      {as !== null && <Mark payouts={open} as={as} close={() => setAs(null)} done={clear} />}
    </>
  );
}
