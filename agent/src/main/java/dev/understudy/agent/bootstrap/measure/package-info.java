/**
 * What is measured of some sampled calls beside their time, and how many calls are sampled before chance decides.
 *
 * <pre>
 *   Probes ──▶ Quotas (a leaky bucket per probe) ──▶ CallSample ──▶ Meter.admit ──▶ Reading ──▶ Totals of the probe
 * </pre>
 *
 * <p>Called by the application's threads, as all of the bootstrap part is: nothing here throws, waits or takes a lock.
 */
@NullMarked
package dev.understudy.agent.bootstrap.measure;

import org.jspecify.annotations.NullMarked;
