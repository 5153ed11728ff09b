/**
 * What a live clone costs the service that it is made of, and how much of that service's state it has.
 *
 * <pre>
 * StatefulService (heap, counters, files) ◀── Clients (requests, longest wait)
 *        └──▶ DebugRun (understudy debug) ──▶ Cloned ──▶ table
 * </pre>
 */
@NullMarked
package dev.understudy.it.bench.clone;

import org.jspecify.annotations.NullMarked;
