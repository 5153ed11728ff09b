/**
 * Takes what the probes saw out of the JVM: spans to OTLP, a report each second to the sidecar, lines to stderr.
 *
 * <pre>
 *   Samples ──▶ SpanExport ──▶ OpenTelemetry SDK ──▶ sidecar/otlp
 *   Governor, ProbeDirectory ──▶ AgentReport ──▶ ReportPost ──▶ sidecar/v1/agent
 * </pre>
 *
 * <p>Everything here runs on the agent's own daemon threads, is bounded, and is dropped when the other side is slow.
 */
@NullMarked
package dev.understudy.agent.export;

import org.jspecify.annotations.NullMarked;
