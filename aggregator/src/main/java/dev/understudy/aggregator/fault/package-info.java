/**
 * Faults on purpose, on the debug side only: how the debug JVM bears an upstream that is slow, broken or gone.
 *
 * <pre>
 * settings, control port ──▶ Faults (the rules in force; decides) ◀── replay.UpstreamReplay, once for each request
 *                                                                        │ Injection
 *                                                                        ▼
 *                                   FaultHandler, first in each debug connection's pipeline (delays by its loop's timers)
 * </pre>
 *
 * <p>Nothing here knows production's side, and nothing of production's side knows this package; {@code IsolationTest}
 * proves both.
 */
@NullMarked
package dev.understudy.aggregator.fault;

import org.jspecify.annotations.NullMarked;
