import * as contract from '@placard/contract/accounts'
import { runCommand } from '../../../platform/http/command.ts'
import type { Http } from '../../../platform/http/server.ts'
import { actorOf, type ResourceDeps } from '../../../platform/resources/index.ts'
import { listSwitches, turnSwitch } from '../../../platform/switches/store.ts'
import type { Switch, SwitchState } from '../../../platform/switches/switch.ts'

export interface SwitchRouteDeps extends ResourceDeps {
  readonly switchDefinitions: readonly Switch[]
}

/** Switches that act at once, for operators. */
export function switchRoutes(http: Http, deps: SwitchRouteDeps): void {
  http.get(
    '/switches',
    {
      config: { access: 'switches:read' },
      schema: {
        operationId: 'listSwitches',
        summary: 'List the switches',
        tags: ['switches'],
        response: { 200: contract.SwitchList },
      },
    },
    async () => ({ items: (await listSwitches(deps.db, deps.switchDefinitions)).map(present) }),
  )
  http.put(
    '/switches/:switchName',
    {
      config: { access: 'switches:write' },
      schema: {
        operationId: 'turnSwitch',
        summary: 'Set a switch; every node follows within a second',
        tags: ['switches'],
        params: contract.SwitchParams,
        body: contract.SetSwitch,
        response: { 200: contract.SwitchState },
      },
    },
    (request, reply) =>
      runCommand(deps, { request, reply }, async (db) => {
        const { isOn, note = '' } = request.body
        const actor = actorOf(request)
        const name = request.params.switchName
        const state = await turnSwitch(
          db,
          { definitions: deps.switchDefinitions, audit: auditOf(deps, name, actor) },
          { name, isOn, note, at: deps.clock.now(), by: actor.principal.id },
        )
        return { status: 200, body: present(state) }
      }),
  )
}

const auditOf =
  (deps: ResourceDeps, name: string, actor: ReturnType<typeof actorOf>) =>
  (
    db: ResourceDeps['db'],
    { before, after }: { before: SwitchState; after: SwitchState },
  ): Promise<void> =>
    deps.audit(db, {
      actor,
      accountId: null,
      action: 'switch.turn',
      entity: 'switch',
      entityId: name,
      before: present(before),
      after: present(after),
    })

const present = ({ name, about, isOn, note }: SwitchState) => ({ name, about, isOn, note })
