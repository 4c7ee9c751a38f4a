import { FastifyOtelInstrumentation } from '@fastify/otel'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { FastifyInstance } from 'fastify'

export interface Tracing {
  attach(http: FastifyInstance): Promise<void>
  stop(): Promise<void>
}

/** Sends a span per request to a collector. Loaded only if one is configured. */
export function startTracing({ endpoint, role }: { endpoint: string; role: string }): Tracing {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `placard-${role}` }),
    spanProcessors: [
      new BatchSpanProcessor(
        new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` }),
      ),
    ],
  })
  provider.register()
  const instrumentation = new FastifyOtelInstrumentation()
  instrumentation.setTracerProvider(provider)

  return {
    attach: async (http) => {
      await http.register(instrumentation.plugin() as never)
    },
    stop: () => provider.shutdown(),
  }
}
