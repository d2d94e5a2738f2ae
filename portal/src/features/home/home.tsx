import { useSession } from "../../api/session.ts";
import { Answer } from "../../ui/answer.tsx";
import { Content, Page } from "../../ui/page.tsx";

export default function Home() {
  const { partner } = useSession();
  return (
    <Page title="Home" api="GET /v1/partners/overview">
      <Content>
        <Answer>
          Welcome to <b>{partner?.company}</b>
        </Answer>
      </Content>
    </Page>
  );
}
