export { present, presentAs, type Values } from './codec.ts'
export {
  createRow,
  getRow,
  listRows,
  newRow,
  patchRow,
  refuseStale,
  removeRow,
  restoreRow,
  reviseRow,
  type Named,
  type Target,
} from './operations.ts'
export { cutPage, pageFrom, type Page } from './page.ts'
export {
  defineResource,
  type Actor,
  type AuditEntry,
  type Change,
  type Resource,
  type ResourceDeps,
  type ResourceTable,
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
