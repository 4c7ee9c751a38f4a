/** A column of stored secrets. Every `sealed_…` column is listed in `compose/sealed.ts`. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The purpose that its secret box has the key of. */
  readonly purpose: string
}
