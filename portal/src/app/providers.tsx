import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { lazy, Suspense } from "react";
import { resolver, theme } from "./theme.ts";

/** The policy of the page lets in only styles with this nonce: Mantine's, and those of the lock that a dialog puts on scrolling. */
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce ?? "";
setNonce(nonce);

/** Nothing waits for them: what is said before they are there is shown once they are. */
const Toasts = lazy(() => import("./toasts.tsx"));

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // The client repeats what may be repeated; what is left is an answer.
      retry: false,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
});

export function Providers({ children }: { children: React.ReactNode }) {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={resolver} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queries}>
        <Suspense>
          <Toasts />
        </Suspense>
        {children}
      </QueryClientProvider>
    </MantineProvider>
  );
}
