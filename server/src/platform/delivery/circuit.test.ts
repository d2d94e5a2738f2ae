import { expect, test } from "vitest";
import { CIRCUIT_RULES, createCircuit } from "./circuit.ts";

const fresh = () => createCircuit({ degraded_at_ms: null, probe_at_ms: 0, probes: 0 }, CIRCUIT_RULES);

function failTimes(circuit: ReturnType<typeof fresh>, times: number, at_ms: number): void {
  for (let turn = 0; turn < times; turn += 1) circuit.note(false, at_ms);
}

test("it breaks at ten attempts of which seven failed, and not before", () => {
  const circuit = fresh();
  for (let turn = 0; turn < 3; turn += 1) circuit.note(true, 1_000);
  failTimes(circuit, 6, 1_000);
  expect(circuit.admits(1_000)).toBe("all");
  expect(circuit.note(false, 1_000)).toBe("degraded");
  expect(circuit.admits(1_000)).toBe("nothing");
});

test("failures that are five minutes old no longer count", () => {
  const circuit = fresh();
  failTimes(circuit, 9, 0);
  failTimes(circuit, 9, 300_001);
  expect(circuit.admits(300_001)).toBe("all");
  expect(circuit.note(false, 300_002)).toBe("degraded");
});

test("probes come after 30 s, 60 s and so on to ten minutes", () => {
  const circuit = fresh();
  failTimes(circuit, 10, 0);
  let now_ms = 0;
  const delays: number[] = [];
  for (let probe = 0; probe < 7; probe += 1) {
    delays.push(circuit.state.probe_at_ms - now_ms);
    now_ms = circuit.state.probe_at_ms;
    expect(circuit.admits(now_ms - 1)).toBe("nothing");
    expect(circuit.admits(now_ms)).toBe("probe");
    circuit.note(false, now_ms);
  }
  expect(delays).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);
});

test("attempts that were under way when it broke neither hasten nor delay the probe, but a success mends it", () => {
  const circuit = fresh();
  failTimes(circuit, 10, 0);
  circuit.note(false, 5_000);
  expect(circuit.state).toMatchObject({ probe_at_ms: 30_000, probes: 0 });
  expect(circuit.note(true, 6_000)).toBe("recovered");
  expect(circuit.admits(6_000)).toBe("all");
  failTimes(circuit, 9, 7_000);
  expect(circuit.admits(7_000)).toBe("all");
});

test("it goes on from what was saved", () => {
  const circuit = createCircuit({ degraded_at_ms: 1, probe_at_ms: 1_000, probes: 2 }, CIRCUIT_RULES);
  expect(circuit.admits(999)).toBe("nothing");
  circuit.note(false, 1_000);
  expect(circuit.state.probe_at_ms).toBe(1_000 + 240_000);
});
