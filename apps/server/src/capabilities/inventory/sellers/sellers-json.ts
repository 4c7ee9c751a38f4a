export interface Seller {
  readonly publisherId: string
  readonly name: string
  readonly domain: string | null
  readonly isConfidential: boolean
}

/** The IAB's sellers.json 1.0. Its `seller_id` is the account that ads.txt and requests name. */
export const sellersJson = (sellers: readonly Seller[], contact: string | undefined) => ({
  ...(contact !== undefined && { contact_email: contact }),
  version: '1.0',
  identifiers: [],
  sellers: sellers.map(({ publisherId, name, domain, isConfidential }) => ({
    seller_id: publisherId,
    seller_type: 'PUBLISHER',
    is_confidential: isConfidential ? 1 : 0,
    ...(!isConfidential && { name, ...(domain !== null && { domain }) }),
  })),
})
