/**
 * Refuses connections of the application, so that a debug copy can't act on the real world with what recorded replies
 * hold.
 *
 * <pre>
 *   sockets ──▶ EgressTransformer ──▶ ConnectPlace (the list) ──▶ Egress (bootstrap)
 *                                                                   │ before the kernel connects
 *   settings ──▶ EgressRule, EgressRules ──▶ EgressPolicy ◀─────────┘──▶ RefusedConnects ──▶ report
 *                                              ▲      ▲
 *                  ListedNames (one thread) ───┘      └─── the aggregator's debug ports
 * </pre>
 *
 * <p>It fails closed: what can't be decided is refused, and classes that don't ask are reported.
 */
@NullMarked
package dev.understudy.agent.egress;

import org.jspecify.annotations.NullMarked;
