import { useSession } from "../api/session.ts";
import { Answer } from "../ui/answer.tsx";
import { Content, Page } from "../ui/page.tsx";

export default function Overview() {
  const { programme, user } = useSession();
  return (
    <Page title="Overview">
      <Content>
        <Answer sub={`You are signed in as ${user.name}.`}>
          This is <b>{programme.name}</b>
        </Answer>
      </Content>
    </Page>
  );
}
