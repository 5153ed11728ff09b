/**
 * What the sidecar costs production, measured: each study is a command and writes its section of a file in
 * {@code docs/measurements}, whose {@code README.md} lists which study writes which file.
 *
 * <pre>
 * Bench ──▶ …Study ──▶ subject.Backends (nginx, Redis) ◀── subject.Subject (direct, haproxy, sidecar …) ◀── load.Workload
 *             │                                               │
 *             └──▶ Rounds ──▶ report.Results ◀── load.Sample ◀── process.CpuTimes (/proc)
 *                                └──▶ report.Table ──▶ report.Page (medians of the ratios within each round)
 * </pre>
 *
 * <p>Needs Linux and the real programs; what isn't installed is left out and named in the table.
 */
@NullMarked
package dev.understudy.it.bench;

import org.jspecify.annotations.NullMarked;
