/**
 * Tuned for a small service: helper processes for replication and asynchronous I/O are off, durability is on.
 * pglz, because these builds have no lz4.
 */
const DEFAULTS: Record<string, string> = {
  max_connections: "200",
  shared_buffers: "128MB",
  fsync: "on",
  synchronous_commit: "on",
  wal_level: "replica",
  wal_compression: "pglz",
  max_wal_size: "2GB",
  checkpoint_timeout: "15min",
  max_wal_senders: "0",
  max_replication_slots: "0",
  max_logical_replication_workers: "0",
  max_worker_processes: "4",
  max_parallel_workers: "2",
  autovacuum_max_workers: "2",
  autovacuum_worker_slots: "4",
  io_method: "sync",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_messages: "warning",
  log_checkpoints: "off",
  // Statements and key values may be personal data, which must not remain in a log file.
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
};

/** Settings that this module depends on, so they cannot be overridden. The log prefix identifies the process of a line. */
function requiredSettings(socket: string): Record<string, string> {
  return {
    listen_addresses: "",
    port: "5432",
    // PostgreSQL reads a list here, so an unquoted comma would split the path.
    unix_socket_directories: `"${socket.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    logging_collector: "off",
    log_destination: "stderr",
    log_line_prefix: "%m [%p] ",
    lc_messages: "C",
  };
}

export function settingArguments(socket: string, overrides: Record<string, string>): string[] {
  const settings = { ...DEFAULTS, ...overrides, ...requiredSettings(socket) };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** PostgreSQL does not inherit our environment: neither secrets nor PGPORT, LANG or LD_LIBRARY_PATH. */
export const SERVER_ENVIRONMENT = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
