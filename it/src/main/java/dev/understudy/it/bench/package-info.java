/**
 * What the sidecar costs production, measured: each study is a command and writes its section of {@code it/benchmarks.md}
 * ({@code FidelityStudy}: {@code it/fidelity.md}; {@code DivergenceStudy}: {@code it/divergence.md}; {@code AgentStudy}:
 * {@code it/agent-overhead.md}).
 *
 * <pre>
 *   Bench ──▶ …Study ──▶ subject.Backends (nginx, Redis) ◀── subject.Subject (direct, haproxy, sidecar …) ◀── load.Workload
 *               │                                               │
 *               └──▶ Rounds ──▶ report.Results ◀── load.Sample ◀── process.CpuTimes (/proc)
 *                                  └──▶ report.Table ──▶ report.Page (medians of the ratios within each round)
 * </pre>
 *
 * <p>Needs Linux and the real programs; what isn't installed is left out and named in the table.
 */
@NullMarked
package dev.understudy.it.bench;

import org.jspecify.annotations.NullMarked;
