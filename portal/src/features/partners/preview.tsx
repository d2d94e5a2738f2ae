import { useComputedColorScheme } from "@mantine/core";
import { Inbox, UserRound, Users } from "lucide-react";
import { accentOf, contrast, PAPER } from "../../ui/accent.ts";
import { Blocker } from "../../ui/answer.tsx";
import { Monogram } from "../../ui/monogram.tsx";
import classes from "./partners.module.css";

const READABLE = 4.5;
const isColor = (text: string) => /^#[0-9a-fA-F]{6}$/.test(text);

type Props = { company: string; branding: { product_name: string; primary_color: string; support_email: string } };

/** The side and a page as a client would see them, in the colour as it is corrected for reading. */
export function BrandPreview({ company, branding }: Props) {
  const scheme = useComputedColorScheme("light");
  const { product_name, primary_color, support_email } = branding;
  const tokens = isColor(primary_color) ? accentOf(primary_color, scheme) : {};
  const name = product_name.trim() === "" ? company : product_name;
  const ratio = isColor(primary_color) ? contrast(primary_color, PAPER) : null;
  return (
    <>
      <div className={classes.preview} style={tokens as React.CSSProperties} aria-label={`A page of ${name}`} role="img">
        <div className={classes.previewSide}>
          <span>
            <Monogram name={name} size={20} /> <b className="cut">{name}</b>
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
      {ratio !== null && ratio < READABLE && (
        <Blocker title={`This colour is hard to read: ${ratio.toFixed(1)} : 1 on white`}>
          {READABLE} : 1 is needed. Words and buttons use the nearest darker tone, as shown.
        </Blocker>
      )}
    </>
  );
}
