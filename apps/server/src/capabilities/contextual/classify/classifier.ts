/** What a page says, as far as a classifier needs it. */
export interface PageText {
  readonly url: string
  readonly title: string
  readonly text: string
}

export interface PageCategory {
  readonly categoryId: string
  /** How sure, in [0, 1]. */
  readonly confidence: number
}

/** Says what a page is about: at most three categories, the surest first. */
export interface Classifier {
  readonly name: string
  classify(page: PageText): Promise<readonly PageCategory[]>
}

export const CATEGORIES_MAX = 3
export const TEXT_CHARACTERS_MAX = 8_000
