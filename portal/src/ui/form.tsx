import { Button, Group } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { ApiError } from "@tributary/sdk";
import { useRef, useState } from "react";
import { reasonOf } from "./failure.tsx";
import classes from "./form.module.css";

/** "#/contact/email" is the field "contact.email". */
const nameOf = (pointer: string) => pointer.replace(/^#?\//, "").replaceAll("/", ".");

/** The field that a fault is about: an item of a list is in the field of the list. */
function fieldOf(pointer: string, isShown: (field: string) => boolean): string {
  const name = nameOf(pointer);
  const parts = name.split(".");
  const shown = parts.map((_, index) => parts.slice(0, parts.length - index).join(".")).find(isShown);
  return shown ?? name;
}

type Options<Values> = {
  initial: Values;
  /** Sends the form. `key` is the same for every attempt, so that a repeated one creates nothing twice. */
  send(values: Values, key: string): Promise<unknown>;
  /** What a refusal says that is about a field, and does not name it: `{ code: "The code is already in use." }`. */
  faultsOf?(error: ApiError): Record<string, React.ReactNode>;
};

export type ApiForm<Values extends object> = {
  form: UseFormReturnType<Values>;
  busy: boolean;
  /** What is wrong with the whole, not with a field that is shown. */
  problem: Error | null;
  onSubmit(event?: React.FormEvent<HTMLFormElement>): void;
};

/**
 * A form whose rules are the API's: it is sent, and each fault appears at its field, in the API's words. `fields` of the form have
 * the names of the request, nested ones with dots.
 */
export function useApiForm<Values extends Record<string, unknown>>({
  initial,
  send,
  faultsOf = () => ({}),
}: Options<Values>): ApiForm<Values> {
  const form = useForm<Values>({ initialValues: initial });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error | null>(null);
  const key = useRef(crypto.randomUUID());
  const submit = async (values: Values) => {
    setBusy(true);
    setProblem(null);
    try {
      await send(values, key.current);
      key.current = crypto.randomUUID();
    } catch (error) {
      const faults = error instanceof ApiError ? error.errors.filter((fault) => fault.in === "body") : [];
      // A request that was refused may be sent again, changed, under a new key. One that failed may have been carried out.
      if (error instanceof ApiError && error.status < 500) key.current = crypto.randomUUID();
      const errors: Record<string, React.ReactNode> = {
        ...(error instanceof ApiError ? faultsOf(error) : {}),
        ...Object.fromEntries(
          faults.map(({ pointer, detail }) => [fieldOf(pointer, (field) => form.getInputNode(field) !== null), detail]),
        ),
      };
      form.setErrors(errors);
      const nodes = Object.keys(errors).map((field) => form.getInputNode(field));
      if (nodes.length === 0 || nodes.includes(null)) setProblem(error as Error);
      nodes.find((node) => node !== null)?.focus();
    } finally {
      setBusy(false);
    }
  };
  return { form, busy, problem, onSubmit: form.onSubmit((values) => void submit(values)) };
}

/** A record as it was when its form opened: what others change meanwhile must be met by its version, not overwritten. */
export function useAsOpened<Row extends object>(record: Row): Row {
  return useState(record)[0];
}

/** What is wrong with the whole of something that was sent. */
export function Problem({ error }: { error: Error | null | undefined }) {
  if (!error) return null;
  return (
    <p className={classes.problem} role="alert">
      {reasonOf(error)}
    </p>
  );
}

/** The fields of a form one below the other, and what is wrong with the whole. */
export function Form({
  onSubmit,
  problem,
  id,
  children,
}: {
  onSubmit(event?: React.FormEvent<HTMLFormElement>): void;
  problem?: Error | null;
  id?: string;
  children: React.ReactNode;
}) {
  return (
    <form className={classes.form} onSubmit={onSubmit} id={id} noValidate>
      {children}
      <Problem error={problem} />
    </form>
  );
}

type FootProps = {
  /** What the form does: "Create client". */
  action: string;
  close(): void;
  busy?: boolean;
  disabled?: boolean;
  /** The id of the form, for the foot of a panel; within its form a foot needs none. */
  form?: string;
};

/** The buttons of a form that is opened and closed: Cancel, and what the form does. */
export function FormFoot({ action, close, busy = false, disabled = false, form }: FootProps) {
  const buttons = (
    <>
      <Button variant="default" onClick={close}>
        Cancel
      </Button>
      <Button type="submit" form={form} loading={busy} disabled={disabled}>
        {action}
      </Button>
    </>
  );
  if (form !== undefined) return buttons;
  return (
    <Group justify="flex-end" gap={8}>
      {buttons}
    </Group>
  );
}

/** Two fields beside each other. */
export function Pair({ children, wide }: { children: React.ReactNode; wide?: "first" }) {
  return (
    <div className={classes.pair} data-wide={wide}>
      {children}
    </div>
  );
}
