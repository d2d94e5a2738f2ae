/** A page of a feature: its address below /portal, with `$name` for a part that varies, and where its code is. */
export type PageRoute = {
  path: string;
  load: () => Promise<{ default: React.ComponentType }>;
};
