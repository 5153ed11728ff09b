/**
 * Production's side: what client and server said on one connection becomes results by statement.
 *
 * <pre>
 *   request bytes ─▶ FrontendFramer ─┐                  ┌─▶ Portal (rows of one statement, over all its fetches) ─┐
 *                                    ├─▶ PendingMessages ──────┤                                                         ├─▶ PgPublication ─▶ journal
 *   reply bytes ───▶ BackendFramer ──┘ (who answers what)└─▶ PgStatementScript (the simple protocol) ────────────────────────┘       └─────▶ ServerFacts
 * </pre>
 */
@NullMarked
package dev.understudy.aggregator.postgres.record;

import org.jspecify.annotations.NullMarked;
