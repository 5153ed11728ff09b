/**
 * Which locks the thread of an observed exchange holds, and which it takes while it holds them.
 *
 * <pre>
 * bootstrap.Locks ──▶ HeldLocks (one for each place where exchanges are observed) ──▶ Nesting ──▶ Nestings (a queue) ──▶ agent.lock
 * </pre>
 *
 * <p>Locks of the application are kept by weak references alone once the exchange is over. Nothing here waits.
 */
@NullMarked
package dev.understudy.agent.bootstrap.lock;

import org.jspecify.annotations.NullMarked;
