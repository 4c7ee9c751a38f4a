import { expect, test } from 'vitest'
import { sayDevice } from './device-name.ts'

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/156.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156 Safari/537.36 Edg/156',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1 Version/19 Safari/604.1',
    'Safari on iPhone',
  ],
  // The server stores 120 characters.
  ['Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit', 'A browser on Android'],
  ['Desk', 'Desk'],
  ['', 'Unknown device'],
])('the device %j is called %j', (userAgent, name) => {
  expect(sayDevice(userAgent)).toBe(name)
})
