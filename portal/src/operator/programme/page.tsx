import { Failure } from "../../ui/failure.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Content, Page } from "../../ui/page.tsx";
import { When } from "../../ui/when.tsx";
import { useProgramme } from "./data.ts";
import { Settings } from "./settings.tsx";

export default function ProgrammePage() {
  const { data, error, refetch } = useProgramme();
  return (
    <Page
      title="Programme"
      api="GET /v1/admin/programme"
      foot={
        data && (
          <span>
            Version {data.version}, changed <When at={data.updated_at} as="since" />
          </span>
        )
      }
    >
      <Content>
        {error && <Failure title="The programme did not load" error={error} retry={refetch} />}
        {data ? <Settings key={data.version} programme={data} /> : !error && <Loading rows={6} />}
      </Content>
    </Page>
  );
}
