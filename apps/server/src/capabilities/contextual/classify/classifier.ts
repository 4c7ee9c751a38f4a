/** The text of a page, as a classifier needs it. */
export interface PageText {
  readonly url: string
  readonly title: string
  readonly text: string
}

export interface PageCategory {
  readonly categoryId: string
  /** From 0 to 1. */
  readonly confidence: number
}

/** Assigns categories to a page: at most three, the surest first. */
export interface Classifier {
  readonly name: string
  classify(page: PageText): Promise<readonly PageCategory[]>
}

export const CATEGORIES_MAX = 3
export const TEXT_CHARACTERS_MAX = 8_000
