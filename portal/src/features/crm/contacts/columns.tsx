import { Lines } from "../../../ui/lines.tsx";
import { Monogram, Named } from "../../../ui/monogram.tsx";
import { spaced } from "../../../ui/phone.ts";
import type { Column } from "../../../ui/table.tsx";
import { When, whenColumn } from "../../../ui/when.tsx";
import { usePersonName } from "../records/people.tsx";
import { CHANNEL_NAMES } from "./consent.tsx";
import { CHANNELS, type Contact } from "./data.ts";

/** "SMS, Email": the channels that a person has agreed to. */
export const grantedOf = ({ consent }: Contact) =>
  CHANNELS.filter((channel) => consent[channel] === "granted").map((channel) => CHANNEL_NAMES[channel]);

export function useContactColumns(): readonly Column<Contact>[] {
  const nameOf = usePersonName();
  return [
    {
      key: "name",
      head: "Name",
      width: "minmax(200px, 1.4fr)",
      sorts: ["name"],
      cell: (row) => <Named mark={<Monogram name={row.name} person />} name={row.name} note={row.company} />,
    },
    { key: "phone", head: "Phone", width: "120px", cell: (row) => <span className="soft">{spaced(row.phone)}</span> },
    {
      key: "email",
      head: "Email",
      width: "minmax(140px, 1.3fr)",
      from: 760,
      cell: (row) => <span className="soft cut">{row.email}</span>,
    },
    {
      key: "consent",
      head: "Consent",
      width: "88px",
      from: 980,
      cell: (row) => <span className="soft cut">{grantedOf(row).join(", ")}</span>,
    },
    {
      key: "tags",
      head: "Tags",
      width: "minmax(90px, 0.6fr)",
      from: 860,
      cell: (row) => <span className="soft cut">{row.tags.join(", ")}</span>,
    },
    {
      key: "owner",
      head: "Owner",
      width: "96px",
      from: 1080,
      cell: (row) => <span className="soft cut">{row.owner_id && nameOf(row.owner_id)}</span>,
    },
    whenColumn({
      key: "created",
      head: "Created",
      from: 640,
      sorts: ["-created_at", "created_at"],
      at: (row) => row.created_at,
      as: "day",
    }),
    whenColumn({ key: "changed", head: "Changed", sorts: ["-updated_at"], at: (row) => row.updated_at }),
  ];
}

/** A contact on a phone. */
export function ContactLines({ row }: { row: Contact }) {
  return (
    <Lines
      mark={<Monogram name={row.name} person size={32} />}
      title={row.name}
      note={[spaced(row.phone), row.company].filter(Boolean).join(", ")}
      end={<When muted at={row.updated_at} />}
    />
  );
}
