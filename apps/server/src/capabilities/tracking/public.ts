/** What pages of others call: open, across origins, and kind to fields that a newer tag sends. */
export const PUBLIC = { access: 'public', crossOrigin: true, ignoresUnknownFields: true } as const
