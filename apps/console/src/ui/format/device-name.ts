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

/** A browser's user agent in words. A device name given by a program or a user stays. */
export function sayDevice(deviceName: string): string {
  if (deviceName === '') return 'Unknown device'
  if (!deviceName.startsWith('Mozilla/')) return deviceName
  const [browser = 'A browser', system] = [
    firstIn(deviceName, BROWSERS),
    firstIn(deviceName, SYSTEMS),
  ]
  return system === undefined ? browser : `${browser} on ${system}`
}
