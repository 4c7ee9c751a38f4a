/** Joins class names, without empty ones. */
export const cx = (...names: readonly (string | false | undefined | null)[]) =>
  names.filter(Boolean).join(' ')
