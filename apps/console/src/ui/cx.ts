/** Joins class names, leaving out what does not apply. */
export const cx = (...names: readonly (string | false | undefined | null)[]) =>
  names.filter(Boolean).join(' ')
