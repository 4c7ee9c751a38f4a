/** An interface as a row type of `db.execute<…>`, which takes type aliases only. */
export type Row<T> = { [K in keyof T]: T[K] }
