/**
 * What woven classes may call; the only part of the agent that the application can see.
 *
 * <pre>
 *   woven method ──▶ Gates (one per class) ──▶ Probes.enter ──▶ CallSample ──▶ Probes.exit ──▶ Samples ──▶ export
 *   server entry ──▶ ServedExchanges.enter ──▶ ServedExchange (bound to the thread) ◀── CallSample
 *   socket that connects ──▶ Egress (with {@code egress=deny}) ──▶ EgressGuard (the agent's)
 *   place of a log point ──▶ Points.due ──▶ Point (what the agent does with the values)
 * </pre>
 *
 * <p>State here is static because woven code has no other way to reach it. Nothing here throws, blocks, takes
 * a lock or calls a library, and the JDK alone is called; only {@link Egress} throws and may wait.
 */
@NullMarked
package dev.understudy.agent.bootstrap;

import org.jspecify.annotations.NullMarked;
