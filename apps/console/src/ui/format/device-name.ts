const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const SYSTEMS = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

const firstIn = (text: string, names: readonly (readonly [RegExp, string])[]) =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/** A browser's user agent as people say it; the name that a program or a person gave stays. */
export function sayDevice(deviceName: string): string {
  if (deviceName === '') return 'Unknown device'
  if (!deviceName.startsWith('Mozilla/')) return deviceName
  const [browser = 'A browser', system] = [
    firstIn(deviceName, BROWSERS),
    firstIn(deviceName, SYSTEMS),
  ]
  return system === undefined ? browser : `${browser} on ${system}`
}
