import { Button, Radio, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useSession } from "../../../api/session.ts";
import { Form, Pair, useApiForm } from "../../../ui/form.tsx";
import { Section } from "../../../ui/section.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type Method, type MethodBody, useSetMethod } from "./data.ts";
import { inGroups } from "./iban.ts";
import classes from "./payouts.module.css";

type Values = { kind: Method["kind"]; holder: string; iban: string; bic: string; instructions: string; currencies: string[] };

/** Only the members of the kind are sent; the API refuses the others. */
function bodyOf({ kind, holder, iban, bic, instructions, currencies }: Values): MethodBody {
  if (kind === "manual") return { kind, holder, instructions, currencies: currencies.map((code) => code.trim().toLowerCase()) };
  return { kind, holder, iban, ...(bic.trim() === "" ? {} : { bic: bic.trim() }) };
}

/** The account is typed anew each time: nobody can read the former one. */
export function MethodForm({ method, close }: { method: Method | null; close(): void }) {
  const { partner } = useSession();
  const currency = partner?.currency ?? "eur";
  const set = useSetMethod();
  const { form, busy, problem, onSubmit } = useApiForm<Values>({
    initial: {
      kind: method?.kind ?? (currency === "eur" ? "sepa" : "manual"),
      holder: method?.holder ?? partner?.company ?? "",
      iban: "",
      bic: "",
      instructions: "",
      currencies: method?.kind === "manual" ? method.currencies : [currency],
    },
    async send(values) {
      const { hint, kind } = await set.mutateAsync(bodyOf(values));
      toast(kind === "sepa" ? `You are paid to ${hint}` : "You are paid by manual transfer");
      close();
    },
  });
  const iban = form.getInputProps("iban");
  return (
    <Section title={method === null ? "Add a payout method" : "Another payout method"}>
      <Form onSubmit={onSubmit} problem={problem}>
        <Radio.Group label="Kind" {...form.getInputProps("kind")}>
          <div className={classes.kinds}>
            <Radio value="sepa" label="SEPA transfer, in euro to an IBAN" />
            <Radio value="manual" label="By hand, in other currencies" />
          </div>
        </Radio.Group>
        <TextInput label="Holder of the account" maxLength={70} {...form.getInputProps("holder")} />
        {form.values.kind === "sepa" ? (
          <Pair>
            <TextInput
              label="IBAN"
              placeholder="DE89 3704 0044 0532 0130 00"
              autoComplete="off"
              spellCheck={false}
              {...iban}
              onChange={({ currentTarget }) => iban.onChange(inGroups(currentTarget.value))}
            />
            <TextInput label="BIC" placeholder="If the bank asks for one" autoComplete="off" {...form.getInputProps("bic")} />
          </Pair>
        ) : (
          <>
            <Textarea
              label="Instructions"
              description="What the operator needs to pay you. It is encrypted, and not shown again."
              placeholder="Account 12345678, sort code 12-34-56, the bank"
              autosize
              minRows={3}
              {...form.getInputProps("instructions")}
            />
            <TagsInput
              label="Currencies"
              description="Codes of three letters, such as usd"
              data={["usd", "eur", "gbp", "chf", "sek", "nok", "dkk"]}
              {...form.getInputProps("currencies")}
            />
          </>
        )}
        <div className={classes.acts}>
          <Button type="submit" loading={busy}>
            {method === null ? "Add payout method" : "Change payout method"}
          </Button>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
        </div>
      </Form>
    </Section>
  );
}
