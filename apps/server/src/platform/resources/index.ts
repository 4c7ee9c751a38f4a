export { present, presentAs, type Values } from './codec.ts'
export { heldBack } from './guarded.ts'
export {
  createRow,
  getIds,
  getRow,
  listRows,
  listRowsById,
  lockRecord,
  newRow,
  type RowIds,
  patchRow,
  refuseStale,
  removeRow,
  restoreRow,
  reviseRow,
  showRow,
  type Target,
} from './operations.ts'
export { cutPage, pageFrom, type Page } from './page.ts'
export {
  defineResource,
  type Actor,
  type AuditEntry,
  type NamedRow,
  type Order,
  type ProposalSummary,
  type ProposedFields,
  type ReadDeps,
  type Resource,
  type ResourceDeps,
} from './resource.ts'
export {
  actionRoute,
  actorOf,
  changeRow,
  etagOf,
  expectedVersionOf,
  resourceRoutes,
  targetOf,
} from './routes.ts'
export { insertRows, type Scope } from './store.ts'
