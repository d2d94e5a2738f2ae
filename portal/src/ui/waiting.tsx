import { Failure } from "./failure.tsx";
import { Loading } from "./loading.tsx";
import { Page } from "./page.tsx";

type Props = {
  /** The title, and what the failure names: "Client". */
  title: string;
  trail: React.ComponentProps<typeof Page>["trail"] & {};
  query: { error: Error | null; refetch(): unknown };
};

/** The page of one record that is not there yet: it loads, or it did not load. */
export function Waiting({ title, trail, query: { error, refetch } }: Props) {
  return (
    <Page title={title} trail={trail}>
      {error ? <Failure title={`The ${title.toLowerCase()} did not load`} error={error} retry={refetch} /> : <Loading />}
    </Page>
  );
}
