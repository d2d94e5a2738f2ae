import { useComputedColorScheme } from "@mantine/core";
import { Inbox, UserRound, Users } from "lucide-react";
import { useState } from "react";
import { logoOf } from "../../api/logo.ts";
import { accentOf, contrast, PAPER } from "../../ui/accent.ts";
import { Blocker } from "../../ui/answer.tsx";
import { Logo } from "../../ui/logo.tsx";
import { Monogram } from "../../ui/monogram.tsx";
import { useLogoFault } from "./data.ts";
import classes from "./partners.module.css";

const READABLE = 4.5;
const isColor = (text: string) => /^#[0-9a-fA-F]{6}$/.test(text);

type Props = {
  company: string;
  branding: { product_name: string; primary_color: string; logo_url: string; support_email: string };
  /** The logo that is saved. */
  saved: { id: string; logo_url: string };
};

/** The side and a page as a client would see them, in the colour as it is corrected for reading. */
export function BrandPreview({ company, branding, saved }: Props) {
  const scheme = useComputedColorScheme("light");
  const { product_name, primary_color, logo_url, support_email } = branding;
  const isSaved = logo_url.trim() === saved.logo_url;
  const src = isSaved && saved.logo_url !== "" ? logoOf({ id: saved.id, branding: saved }) : null;
  const [failed, setFailed] = useState<string | null>(null);
  const fault = useLogoFault(src, src !== null && failed === src);
  const tokens = isColor(primary_color) ? accentOf(primary_color, scheme) : {};
  const name = product_name.trim() === "" ? company : product_name;
  const ratio = isColor(primary_color) ? contrast(primary_color, PAPER) : null;
  return (
    <>
      <div className={classes.preview} style={tokens as React.CSSProperties} aria-label={`A page of ${name}`} role="img">
        <div className={classes.previewSide}>
          <span>
            <Logo src={src} onFail={() => setFailed(src)}>
              <Monogram name={name} />
            </Logo>{" "}
            <b className="cut">{name}</b>
          </span>
          <span data-on>
            <Inbox size={14} /> Inbox
          </span>
          <span>
            <UserRound size={14} /> Leads
          </span>
          <span>
            <Users size={14} /> Contacts
          </span>
        </div>
        <div className={classes.previewPage}>
          <span className={classes.previewLink}>Ada Byrne asked for Friday</span>
          <span className={classes.previewButton}>Reply</span>
          <span className="muted">{support_email}</span>
        </div>
      </div>
      {!isSaved && logo_url.trim() !== "" && <p className="muted">The logo is shown here once it is saved.</p>}
      {fault && <Blocker title="The logo cannot be shown">{fault} Until it can, the initial stands in its place.</Blocker>}
      {ratio !== null && ratio < READABLE && (
        <Blocker title={`This colour is hard to read: ${ratio.toFixed(1)} : 1 on white`}>
          {READABLE} : 1 is needed. Words and buttons use the nearest darker tone, as shown.
        </Blocker>
      )}
    </>
  );
}
