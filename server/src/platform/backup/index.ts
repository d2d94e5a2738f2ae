export { type BackupProgress, writeBackup } from "./backup.ts";
export { BackupRefused, type Manifest } from "./format.ts";
export { keyFingerprint } from "./key-fingerprint.ts";
export { type Output, openOutput } from "./output.ts";
export { checkBackup } from "./read-file.ts";
export { restoreBackup } from "./restore.ts";
