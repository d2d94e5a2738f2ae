import { expect, test } from "vitest";
import { isDeniedAddress, isMetadataAddress } from "./address.ts";

const PUBLIC = [
  "1.1.1.1",
  "8.8.8.8",
  "172.15.0.1",
  "172.32.0.1",
  "100.63.255.255",
  "100.128.0.0",
  "198.17.0.1",
  "223.255.255.255",
];
const PUBLIC_IPV6 = ["2606:4700:4700::1111", "2a00:1450:4001::200e", "2001:4860:4860::8888", "::ffff:8.8.8.8", "::ffff:808:808"];

test.each([...PUBLIC, ...PUBLIC_IPV6])("%s is a public address", (ip) => {
  expect(isDeniedAddress(ip)).toBe(false);
});

test.each([
  ...["0.0.0.0", "0.1.2.3", "10.0.0.5", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1"],
  ...["172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255"],
  ...["198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255"],
])("%s is denied", (ip) => {
  expect(isDeniedAddress(ip)).toBe(true);
});

test.each([
  ...["::", "::1", "0:0:0:0:0:0:0:1", "fe80::1", "fe80::1%eth0", "[::1]", "fc00::1", "fd12:3456::1", "ff02::1", "100::1"],
  ...["2001:db8::1", "3fff::1", "5f00::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2002:7f00:1::", "2002:808:808::1"],
  ...["64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::a00:1", "::127.0.0.1", "::7f00:1", "4000::1", "8000::1", "fec0::1"],
])("%s is denied in every form of IPv6", (ip) => {
  expect(isDeniedAddress(ip)).toBe(true);
});

test.each([
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "0:0:0:0:0:FFFF:7F00:1",
  "::FFFF:10.0.0.1",
  "::ffff:a9fe:a9fe",
  "[::ffff:c0a8:101]",
])("%s is denied as its IPv4 address", (ip) => {
  expect(isDeniedAddress(ip)).toBe(true);
});

test.each(["", "localhost", "127.1", "2130706433", "0x7f.0.0.1", "1.2.3.4.5", ":::", "::ffff:999.1.1.1"])(
  "%j is not an address, so it is denied",
  (text) => {
    expect(isDeniedAddress(text)).toBe(true);
  },
);

test.each([
  ...[
    "169.254.169.254",
    "169.254.170.2",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "169.254.0.23",
    "[::ffff:a9fe:a9fe]",
  ],
  ...["fd00:ec2::254", "fd00:ec2:0::23", "fd20:ce::254", "fe80::a9fe:a9fe%eth0"],
])("%s is where a cloud keeps its metadata, which every policy denies", (ip) => {
  expect([isMetadataAddress(ip), isDeniedAddress(ip)]).toEqual([true, true]);
});

test.each(["127.0.0.1", "::1", "10.0.0.5", "8.8.8.8", "168.63.129.17", "localhost"])("%s is none of them", (ip) => {
  expect(isMetadataAddress(ip)).toBe(false);
});
