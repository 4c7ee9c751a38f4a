export { present, type Values } from './codec.ts'
export {
  createRow,
  getRow,
  listRows,
  newRow,
  patchRow,
  removeRow,
  reviseRow,
  type Target,
} from './operations.ts'
export {
  defineResource,
  type Actor,
  type AuditEntry,
  type Resource,
  type ResourceDeps,
} from './resource.ts'
export { actionRoute, actorOf, changeRow, etagOf, resourceRoutes, targetOf } from './routes.ts'
export { insertRows } from './store.ts'
