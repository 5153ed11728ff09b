/**
 * What came of it: verdicts, latencies, losses, and the statement how faithful the debug side is.
 *
 * <pre>
 *   lanes ──▶ Tally (one for each listener) ──▶ Fidelity, Latency, counts ──▶ status, metrics
 *         └─▶ VerdictStore (a ring for each kind, secrets masked) ──────────▶ GET /v1/verdicts
 * </pre>
 */
@NullMarked
package dev.understudy.sidecar.verdict;

import org.jspecify.annotations.NullMarked;
