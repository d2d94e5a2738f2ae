import { cloneElement, Suspense, useEffect, useRef, useState } from "react";

type Button = React.ReactElement<React.ComponentProps<"button">>;
/** A menu is given the button that opens it. */
export type MenuProps = { children: Button };

/** A button whose menu is loaded when it is first used: no page has to wait for menus. */
export function LazyMenu({ menu: Loaded, children }: { menu: React.ComponentType<MenuProps>; children: Button }) {
  const [used, setUsed] = useState(false);
  if (!used) return cloneElement(children, { "aria-haspopup": "menu", onClick: () => setUsed(true) });
  return (
    <Suspense fallback={children}>
      <Loaded>{children}</Loaded>
    </Suspense>
  );
}

/** For a menu that has been loaded because it was asked for: it opens, and its button has the focus to come back to. */
export function useOpenAtOnce(children: Button) {
  const [opened, setOpened] = useState(false);
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    ref.current?.focus();
    setOpened(true);
  }, []);
  return { opened, setOpened, button: cloneElement(children, { ref }) };
}
