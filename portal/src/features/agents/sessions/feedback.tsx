import { Button, Group, Textarea } from "@mantine/core";
import { ThumbsDown, ThumbsUp } from "lucide-react";
import { useState } from "react";
import { Section } from "../../../ui/section.tsx";
import { State } from "../../../ui/state.tsx";
import { toast, toastError } from "../../../ui/toast.tsx";
import { When } from "../../../ui/when.tsx";
import { usePersonName } from "../../crm/records/people.tsx";
import { type SessionWhole, useGiveFeedback } from "./data.ts";

/** What the team thinks of a session. The last word counts. */
export function Feedback({ session, writes }: { session: SessionWhole; writes: boolean }) {
  const { feedback } = session;
  const nameOf = usePersonName();
  const [comment, setComment] = useState(feedback?.comment ?? "");
  const give = useGiveFeedback();
  const rate = (rating: "good" | "bad") => {
    const body = { rating, comment: comment.trim() === "" ? null : comment };
    give.mutateAsync({ session, body }).then(
      () => toast("Thank you: it is noted"),
      (error: Error) => toastError("Not noted", error),
    );
  };
  return (
    <Section title="Feedback">
      {feedback && (
        <p>
          <State tone={feedback.rating === "good" ? "live" : "bad"}>{feedback.rating}</State>{" "}
          <span className="muted">
            by {nameOf(feedback.by)}, <When at={feedback.at} as="since" />
          </span>
        </p>
      )}
      {feedback?.comment && !writes && <p>{feedback.comment}</p>}
      {writes && (
        <>
          <Textarea
            aria-label="Why"
            placeholder="Why? (optional)"
            autosize
            minRows={2}
            my={8}
            maxLength={2000}
            value={comment}
            onChange={({ currentTarget }) => setComment(currentTarget.value)}
          />
          <Group gap={8}>
            <Button variant="default" size="xs" leftSection={<ThumbsUp />} onClick={() => rate("good")}>
              Good
            </Button>
            <Button variant="default" size="xs" leftSection={<ThumbsDown />} onClick={() => rate("bad")}>
              Bad
            </Button>
          </Group>
        </>
      )}
      {!writes && feedback === null && <p className="muted">Nobody has rated it.</p>}
    </Section>
  );
}
