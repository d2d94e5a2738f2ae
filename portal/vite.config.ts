import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The service that `npm run dev -w portal` sends requests to. */
const SERVICE = process.env.SERVICE ?? "http://127.0.0.1:3000";

export default defineConfig({
  root: import.meta.dirname,
  base: "/portal/",
  plugins: [react()],
  // The typed client is compiled from its sources: nothing has to be built before.
  resolve: { conditions: ["source", "module", "browser", "development|production"] },
  html: { cspNonce: "__CSP_NONCE__" },
  build: {
    target: "es2023",
    manifest: true,
    sourcemap: false,
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: Object.fromEntries(
      ["/portal/api", "/v1", "/docs", "/openapi.json"].map((path) => [path, { target: SERVICE, changeOrigin: true }]),
    ),
  },
});
