import { PartnerChoice } from "./choice.tsx";

type Props = { value: string | null; onChange(id: string | null): void; not?: string };

/** The partner that this one belongs to. */
export function ParentChoice(props: Props) {
  return <PartnerChoice label="Parent" description="A sub-partner earns for its parent too" placeholder="None" {...props} />;
}
