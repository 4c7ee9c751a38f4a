const ZONES = Intl.supportedValuesOf('timeZone')

/** Time zones to choose from. Some zones have names that the browser does not list. */
export const zonesWith = (zone: string) =>
  [...new Set([zone, 'UTC', ...ZONES])].map((name) => ({ value: name, label: name }))
