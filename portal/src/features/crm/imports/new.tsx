import { Button, Input, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import { useMay } from "../../../api/session.ts";
import { Answer, Blocker } from "../../../ui/answer.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Problem } from "../../../ui/form.tsx";
import { useGo } from "../../../ui/link.tsx";
import { Content, Page } from "../../../ui/page.tsx";
import { Section } from "../../../ui/section.tsx";
import { useUrl } from "../../../ui/url.ts";
import { InAccount, ReadOnly } from "../records/account.tsx";
import { type Account, useCustomFields } from "../records/data.ts";
import { detect, readSample, type Sample } from "./csv.ts";
import {
  type Import,
  isActive,
  type Mapping,
  type Mode,
  type Resource,
  useImport,
  useImportFields,
  useSendFile,
} from "./data.ts";
import { DropZone } from "./drop.tsx";
import classes from "./imports.module.css";
import { MappingTable, missingOf } from "./mapping.tsx";
import { ImportResult } from "./result.tsx";
import { count, MODES, NAMES, rowsText } from "./status.tsx";

export default function NewImportPage() {
  return <InAccount title="New import">{(account) => <NewImport account={account} />}</InAccount>;
}

const RESOURCES: readonly { value: Resource; label: string }[] = [
  { value: "contact", label: "Contacts" },
  { value: "lead", label: "Leads" },
  { value: "deal", label: "Deals" },
];
const SCOPES: Record<Resource, string> = { contact: "contacts:write", lead: "leads:write", deal: "deals:write" };

function NewImport({ account }: { account: Account }) {
  const may = useMay();
  const trail = [["Imports", `/crm/${account.id}/imports`]] as const;
  const writes = may("contacts:write") && account.readOnly === null;
  return (
    <Page title="New import" trail={trail} api="POST /v1/imports?dry_run=true">
      <ReadOnly account={account} />
      {writes ? (
        <Content>
          <Steps account={account} />
        </Content>
      ) : (
        <Empty title="You may look, and not import">Somebody who manages your team can give you the role of a member.</Empty>
      )}
    </Page>
  );
}

/** The choices of the address, and the file, which only this page has. */
function useChoices(account: Account) {
  const [url, setUrl] = useUrl();
  const may = useMay();
  const allowed = RESOURCES.filter(({ value }) => may(SCOPES[value]));
  const resource = allowed.find(({ value }) => value === url.resource)?.value ?? "contact";
  const mode = (Object.keys(MODES) as Mode[]).find((known) => known === url.mode) ?? "upsert";
  const [file, setFile] = useState<File | null>(null);
  const [sample, setSample] = useState<Sample | null>(null);
  const [changed, setChanged] = useState<Mapping>({});
  const own = useImportFields(resource).data;
  const custom = useCustomFields(account.id, resource).data;
  const customFields = (custom ?? []).filter(({ archived }) => !archived);
  const fields = [...(own?.fields ?? []), ...customFields.map(({ key }) => ({ name: `custom.${key}`, synonyms: [key] }))];
  const mapping: Mapping = { ...detect(sample?.columns ?? [], fields), ...changed };
  /** Whatever is chosen anew has to be checked anew. */
  const choose = (values: Record<string, string | undefined>) => setUrl({ check: undefined, ...values });
  const take = (next: File) => {
    setFile(next);
    setChanged({});
    choose({});
    void readSample(next).then(setSample);
  };
  const map = (column: string, field: string | null) => {
    setChanged({ ...changed, [column]: field });
    choose({});
  };
  const missing = own && sample ? missingOf(own, mode, mapping) : [];
  const options = { account: account.id, resource, mode, country: url.country ?? "", mapping: changed };
  return { url, setUrl, allowed, options, file, sample, fields, mapping, missing, choose, take, map, ready: own !== undefined };
}

type Choices = ReturnType<typeof useChoices>;

function Steps({ account }: { account: Account }) {
  const choices = useChoices(account);
  const { url, allowed, options, file, sample, fields, mapping, missing, choose, take, map } = choices;
  const checked = useImport(url.check ?? "").data;
  return (
    <>
      <Answer sub="First the file is checked, row by row, without changing anything. Then you decide.">
        Bring <b>{NAMES[options.resource]}</b> into {account.company}
      </Answer>
      <div className={classes.options}>
        <Input.Wrapper label="Rows are" labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label="What the rows are"
            data={[...allowed]}
            value={options.resource}
            onChange={(resource) => choose({ resource })}
          />
        </Input.Wrapper>
        <Select
          label="Rows that exist already"
          data={Object.entries(MODES).map(([value, label]) => ({ value, label }))}
          value={options.mode}
          onChange={(mode) => choose({ mode: mode ?? undefined })}
        />
        <TextInput
          label="Country of phones"
          placeholder="none, as in +1 415"
          maxLength={2}
          value={options.country}
          onChange={({ currentTarget }) => choose({ country: currentTarget.value.toUpperCase() })}
        />
      </div>
      <DropZone file={file} take={take} again={checked !== undefined && file === null} />
      {sample && choices.ready && (
        <Section title="Columns" aside={`${sample.columns.length} found`}>
          <MappingTable sample={sample} fields={fields} mapping={mapping} map={map} />
        </Section>
      )}
      {missing.map((group) => (
        <Blocker key={group.join()} title={`No column for ${group.join(" or ").replaceAll("_", " ")}`}>
          Every row needs one. Choose it above.
        </Blocker>
      ))}
      <Check account={account} choices={choices} checked={checked} />
    </>
  );
}

/** The dry run, its result, and then the import itself. */
function Check({ account, choices, checked }: { account: Account; choices: Choices; checked: Import | undefined }) {
  const { file, options, missing, setUrl } = choices;
  const send = useSendFile();
  const go = useGo();
  const check = async () => {
    if (file === null) return;
    const { id } = await send.mutateAsync({ file, options, dry_run: true });
    setUrl({ check: id });
  };
  const start = async () => {
    if (file === null) return;
    const { id } = await send.mutateAsync({ file, options, dry_run: false });
    go(`/crm/${account.id}/imports/${id}`, { replace: true });
  };
  const run = (act: () => Promise<void>) => void act().catch(() => {});
  useWarning(file !== null && checked === undefined);
  const good = checked ? checked.created + checked.updated + checked.unchanged : 0;
  return (
    <>
      <Problem error={send.error} />
      <div className={classes.acts}>
        {checked && !isActive(checked) ? (
          <>
            <Button disabled={file === null || good === 0} loading={send.isPending} onClick={() => run(start)}>
              Import {rowsText(good)}
            </Button>
            <span className="muted">
              {file === null
                ? "Choose the file again to import it."
                : checked.failed > 0
                  ? `The other ${count(checked.failed)} are left out, and can be mended and sent later.`
                  : "Nothing has been changed yet."}
            </span>
          </>
        ) : (
          <Button
            disabled={file === null || missing.length > 0 || checked !== undefined}
            loading={send.isPending}
            onClick={() => run(check)}
          >
            Check the file
          </Button>
        )}
      </div>
      {checked && (
        <Section title={isActive(checked) ? "Checking" : "Checked"} aside={rowsText(checked.total)}>
          <div className={classes.stack}>
            <ImportResult of={checked} />
          </div>
        </Section>
      )}
    </>
  );
}

/** Asks before a chosen file is lost by closing the tab. Once it is sent, closing changes nothing. */
function useWarning(unsent: boolean): void {
  useEffect(() => {
    if (!unsent) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [unsent]);
}
