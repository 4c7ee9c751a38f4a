export type { Searchable } from './operations.ts'
