import { Refusal } from "../../kernel/errors.ts";

type KnownPath = { segments: readonly string[]; methods: readonly string[] };

/** What each path of the APIs supports. One look-up refuses other methods: a route for each took a third of the time of a start. */
export type KnownPaths = {
  add(url: string, methods: readonly string[]): void;
  /** The refusal of a request with another method than its path supports; null for a path that is not known. */
  refusalOf(request: { method: string; url: string }): Refusal | null;
};

export function createKnownPaths(): KnownPaths {
  const known: KnownPath[] = [];
  return {
    add: (url, methods) => void known.push({ segments: url.split("/"), methods }),
    refusalOf({ method, url }) {
      const segments = decoded(url.split(/[?#]/)[0] ?? "").split("/");
      // As in the router, a path without parameters goes before one with them.
      const [path] = known.filter((path) => covers(path.segments, segments)).sort((a, b) => parametersOf(a) - parametersOf(b));
      return path === undefined ? null : methodRefusal(method, path.methods);
    },
  };
}

/** Whether a request for one path is also one for the other, whose parameters begin with a colon. */
export function covers(path: readonly string[], other: readonly string[]): boolean {
  return path.length === other.length && path.every((segment, index) => segment.startsWith(":") || segment === other[index]);
}

/** The methods of a path with those that come by themselves. */
export function withHead(methods: readonly string[]): string[] {
  return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

export function methodRefusal(method: string, methods: readonly string[]): Refusal {
  const supported = withHead(methods);
  return new Refusal("method_not_allowed", {
    detail: `This path does not support ${method}. Use ${methods.join(" or ")}.`,
    headers: { allow: supported.join(", ") },
    meta: { allowed: supported },
  });
}

const parametersOf = ({ segments }: KnownPath) => segments.filter((segment) => segment.startsWith(":")).length;

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
