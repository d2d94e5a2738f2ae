import { expect, test } from "vitest";
import { imageType } from "./image-type.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["image/png", bytes("\x89PNG\r\n\x1a\n....")],
  ["image/jpeg", bytes("\xff\xd8\xff\xe0....")],
  ["image/gif", bytes("GIF89a....")],
  ["image/webp", bytes("RIFF\x01\n\x00\x00WEBPVP8 ")],
  ["image/svg+xml", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  [
    "image/svg+xml",
    Buffer.from('\uFEFF<?xml version="1.0"?>\n<!-- a --><!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">\n<!-- b -->\n<svg>'),
  ],
])("%s is known by its first bytes", (type, content) => {
  expect(imageType(content)).toBe(type);
});

test.each([
  ["nothing", Buffer.alloc(0)],
  ["a page", Buffer.from("<!doctype html><html><body><svg></svg>")],
  ["a page after a comment", Buffer.from("<!-- <svg> --><html>")],
  ["a script", Buffer.from("GIF8; alert(1)")],
  ["very many comments", Buffer.from("<!---->".repeat(2_000))],
  ["very many spaces", Buffer.from(`${" ".repeat(4_000)}x<svg>`)],
])("%s is no image", (_, content) => {
  expect(imageType(content)).toBeNull();
});
