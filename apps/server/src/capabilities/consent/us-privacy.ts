/** US privacy, such as `1YYN`: the third letter says whether the reader opted out of sale. */
export const isSaleRefused = (usPrivacy: string): boolean => usPrivacy[2]?.toUpperCase() === 'Y'
