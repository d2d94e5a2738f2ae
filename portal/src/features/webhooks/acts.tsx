import { ActionIcon, Button, Menu, NumberInput } from "@mantine/core";
import { Ellipsis, Pause, Pencil, Play, RotateCcw, Send, Stethoscope } from "lucide-react";
import { useState } from "react";
import { useMay } from "../../api/session.ts";
import { Confirm } from "../../ui/confirm.tsx";
import { useGo } from "../../ui/link.tsx";
import { toast, toastError } from "../../ui/toast.tsx";
import { useUrl } from "../../ui/url.ts";
import {
  type Endpoint,
  type EndpointWithSecret,
  useDeleteEndpoint,
  useRotateSecret,
  useTestEndpoint,
  useUpdateEndpoint,
} from "./data.ts";
import { addressOf } from "./model.ts";

type Doing = "pause" | "rotate" | "delete" | null;

/** Everything that can be done with an endpoint; the first button is the one that its state asks for. */
export function EndpointActs({
  endpoint,
  rotated,
  phone = false,
}: {
  endpoint: Endpoint;
  rotated(made: EndpointWithSecret): void;
  phone?: boolean;
}) {
  const [doing, setDoing] = useState<Doing>(null);
  const [, setUrl] = useUrl();
  const may = useMay();
  const test = useTestEndpoint();
  const update = useUpdateEndpoint();
  const open = (change: Record<string, string>) =>
    setUrl({ replay: undefined, doctor: undefined, edit: undefined, ...change }, true);
  const enable = () =>
    update.mutateAsync({ endpoint, body: { enabled: true } }).then(
      () => toast("The endpoint is live; what waited is sent now"),
      (error: Error) => toastError("Not resumed", error),
    );
  const send = () =>
    test.mutateAsync({ id: endpoint.id }).then(
      ({ id }) => setUrl({ open: id }),
      (error: Error) => toastError("No test was sent", error),
    );
  if (!may("webhooks:write"))
    return (
      <Button variant="subtle" leftSection={<Stethoscope />} onClick={() => open({ doctor: "yes" })}>
        Doctor
      </Button>
    );
  const items = (
    <>
      <Menu.Item leftSection={<Pencil />} onClick={() => open({ edit: "yes" })}>
        Edit
      </Menu.Item>
      <Menu.Item leftSection={<RotateCcw />} onClick={() => setDoing("rotate")}>
        Rotate secret…
      </Menu.Item>
      {endpoint.enabled && (
        <Menu.Item leftSection={<Pause />} onClick={() => setDoing("pause")}>
          Pause…
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item color="red" onClick={() => setDoing("delete")}>
        Delete…
      </Menu.Item>
    </>
  );
  return (
    <>
      {!phone && (
        <>
          <Button variant="subtle" leftSection={<Stethoscope />} onClick={() => open({ doctor: "yes" })}>
            Doctor
          </Button>
          {endpoint.enabled && (
            <Button variant="default" leftSection={<Send />} loading={test.isPending} onClick={() => void send()}>
              Send test
            </Button>
          )}
          {endpoint.enabled ? (
            <Button leftSection={<RotateCcw />} onClick={() => open({ replay: "yes" })}>
              Replay…
            </Button>
          ) : (
            <Button leftSection={<Play />} loading={update.isPending} onClick={() => void enable()}>
              Resume
            </Button>
          )}
        </>
      )}
      <Menu>
        <Menu.Target>
          <ActionIcon size={phone ? 44 : 32} variant={phone ? "subtle" : "default"} aria-label="More">
            <Ellipsis size={phone ? 20 : 16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {phone && (
            <>
              {endpoint.enabled ? (
                <>
                  <Menu.Item leftSection={<Send />} onClick={() => void send()}>
                    Send test
                  </Menu.Item>
                  <Menu.Item leftSection={<RotateCcw />} onClick={() => open({ replay: "yes" })}>
                    Replay…
                  </Menu.Item>
                </>
              ) : (
                <Menu.Item leftSection={<Play />} onClick={() => void enable()}>
                  Resume
                </Menu.Item>
              )}
              <Menu.Item leftSection={<Stethoscope />} onClick={() => open({ doctor: "yes" })}>
                Doctor
              </Menu.Item>
            </>
          )}
          {items}
        </Menu.Dropdown>
      </Menu>
      <PauseEndpoint endpoint={endpoint} opened={doing === "pause"} close={() => setDoing(null)} />
      <DeleteEndpoint endpoint={endpoint} opened={doing === "delete"} close={() => setDoing(null)} />
      <RotateSecret endpoint={endpoint} opened={doing === "rotate"} close={() => setDoing(null)} rotated={rotated} />
    </>
  );
}

type Props = { endpoint: Endpoint; opened: boolean; close(): void };

function PauseEndpoint({ endpoint, opened, close }: Props) {
  const waiting = endpoint.health.pending + endpoint.health.parked;
  const update = useUpdateEndpoint();
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Pause ${addressOf(endpoint.url)}?`}
      action="Pause"
      onConfirm={async () => {
        const saved = await update.mutateAsync({ endpoint, body: { enabled: false } });
        toast("The endpoint is paused", () => {
          update
            .mutateAsync({ endpoint: saved, body: { enabled: true } })
            .catch((error: Error) => toastError("Not resumed", error));
        });
      }}
    >
      <p>
        Nothing is sent from now on. Events that occur meanwhile wait
        {waiting > 0 && (
          <>
            , with the <b>{waiting}</b> that wait already
          </>
        )}
        , and are sent when you resume.
      </p>
    </Confirm>
  );
}

function DeleteEndpoint({ endpoint, opened, close }: Props) {
  const waiting = endpoint.health.pending + endpoint.health.parked;
  const remove = useDeleteEndpoint();
  const go = useGo();
  const name = new URL(endpoint.url).host;
  return (
    <Confirm
      opened={opened}
      close={close}
      title={`Delete ${addressOf(endpoint.url)}?`}
      action="Delete"
      danger
      type={name}
      onConfirm={async () => {
        await remove.mutateAsync(endpoint);
        toast(`${name} is deleted`);
        go("/developers/webhooks");
      }}
    >
      <p>
        The endpoint, its secret and its log of deliveries go for good.{" "}
        {waiting > 0 && (
          <>
            <b>{waiting}</b> {waiting === 1 ? "event that waits is" : "events that wait are"} not sent.{" "}
          </>
        )}
        The events themselves stay in the feed.
      </p>
    </Confirm>
  );
}

function RotateSecret({ endpoint, opened, close, rotated }: Props & { rotated(made: EndpointWithSecret): void }) {
  const rotate = useRotateSecret();
  const [hours, setHours] = useState<number | string>(24);
  return (
    <Confirm
      opened={opened}
      close={close}
      title="Rotate the secret?"
      action="Rotate"
      onConfirm={async () => rotated(await rotate.mutateAsync({ endpoint, overlap_seconds: Number(hours || 0) * 3_600 }))}
    >
      <p>
        You get a new secret.{" "}
        {Number(hours) > 0
          ? `For ${hours} hours each request has a signature by both, so the receiver can change over.`
          : "From now on only the new one signs: a receiver with the old one refuses what arrives."}
      </p>
      <NumberInput mt={16} label="Overlap in hours" min={0} max={168} clampBehavior="strict" value={hours} onChange={setHours} />
    </Confirm>
  );
}
