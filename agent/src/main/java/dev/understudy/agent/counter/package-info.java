/**
 * What a sampled call uses beside time: CPU time and allocated bytes from the JVM, counters of the processor or the
 * kernel from Linux.
 *
 * <pre>
 * Measuring (setting measure) ──▶ CounterChoice ──▶ PerfEvents (perf_event_open by foreign functions, JDK 22 on)
 *      └─▶ ThreadMeter ──▶ JvmUsage, ThreadCounters (one CounterGroup per thread) ◀── bootstrap.measure.Meter ◀── Probes
 * </pre>
 *
 * <p>All of it is tried on one of the agent's own threads before an application's thread comes here.
 */
@NullMarked
package dev.understudy.agent.counter;

import org.jspecify.annotations.NullMarked;
