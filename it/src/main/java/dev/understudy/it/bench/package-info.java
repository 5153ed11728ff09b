/**
 * What the sidecar costs production, beside what other proxies cost, measured in one interleaved run.
 *
 * <pre>
 *   ProxyBenchmark ──▶ Backends (nginx, Redis) ◀── Subject (direct, haproxy, nginx, toxiproxy, sidecar …) ◀── Workload
 *        │                                            │
 *        └──▶ Results ◀── Sample ◀── CpuTimes (/proc) ┘
 *                └──▶ Table (medians of the ratios within each round)
 * </pre>
 *
 * <p>Needs Linux and the real programs; what isn't installed is left out and named in the table.
 */
@NullMarked
package dev.understudy.it.bench;

import org.jspecify.annotations.NullMarked;
