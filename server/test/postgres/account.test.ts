import { describe, expect, test } from "vitest";
import { chooseUnprivileged, hasPermission, ownAccount, parsePasswd } from "../../src/platform/postgres/account.ts";

describe("the user lent to PostgreSQL", () => {
  const passwd = "root:x:0:0::/root:/bin/sh\nnobody:*:-2:-2:Nobody:/:/bin/false\nbroken line\n";

  test("is postgres where there is one, else nobody, never root", () => {
    expect(chooseUnprivileged(parsePasswd(`${passwd}postgres:x:70:71::/:/bin/sh`))).toMatchObject({ uid: 70, gid: 71 });
    expect(chooseUnprivileged(parsePasswd(passwd))).toMatchObject({ name: "nobody", uid: 4294967294 });
    expect(chooseUnprivileged(parsePasswd("postgres:x:0:0::/:/bin/sh"))).toMatchObject({ uid: 65534 });
  });

  test("is judged by the one class of mode bits that applies to it", () => {
    const account = { ...ownAccount(), uid: 70, gid: 71 };
    expect(hasPermission({ mode: 0o077, uid: 70, gid: 71 }, account, 1)).toBe(false);
    expect(hasPermission({ mode: 0o010, uid: 0, gid: 71 }, account, 1)).toBe(true);
    expect(hasPermission({ mode: 0o710, uid: 0, gid: 0 }, account, 1)).toBe(false);
    expect(hasPermission({ mode: 0o701, uid: 0, gid: 0 }, account, 1)).toBe(true);
  });
});
