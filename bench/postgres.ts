/**
 * A PostgreSQL that has been used for a while, with room. Such a one uses the files of its log again; a
 * new one makes them, a megabyte of zeros at a time, and meanwhile all commits wait for 40 ms, and a
 * generator on the same core for 2 ms sixteen times. So here it does not fill them.
 */
export const SETTLED_IN: readonly string[] = [
  'shared_buffers=1GB',
  'max_wal_size=8GB',
  'wal_init_zero=off',
]
