import { Notifications } from "@mantine/notifications";

/** Where toasts appear. */
export default function Toasts() {
  return <Notifications position="top-center" containerWidth={380} />;
}
