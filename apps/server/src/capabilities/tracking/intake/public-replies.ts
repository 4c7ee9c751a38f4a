/** What pages of others call: open, across origins, and kind to fields that a newer tag sends. */
export const PUBLIC = { access: 'public', crossOrigin: true, ignoresUnknownFields: true } as const

/** One transparent point, byte by byte. */
export const GIF = atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7')

/** Kept by nobody, and shown on any page. */
export const FRESH = {
  'cache-control': 'no-store, must-revalidate',
  expires: '0',
  'cross-origin-resource-policy': 'cross-origin',
}
