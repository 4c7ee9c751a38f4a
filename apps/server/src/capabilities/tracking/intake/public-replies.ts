/** Open to every origin, and tolerant of fields that a newer tag sends. */
export const PUBLIC = { access: 'public', crossOrigin: true, ignoresUnknownFields: true } as const

/** A transparent GIF of 1 × 1 pixel, one character per byte. */
export const GIF = atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')

/** Never cached, and allowed on pages of any origin. */
export const FRESH = {
  'cache-control': 'no-store, must-revalidate',
  expires: '0',
  'cross-origin-resource-policy': 'cross-origin',
}
