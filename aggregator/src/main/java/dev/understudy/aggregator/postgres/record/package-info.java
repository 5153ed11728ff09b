/**
 * Production's side: what client and server said on one connection becomes results by statement.
 *
 * <pre>
 * request bytes ─▶ FrontendFramer ─┐                        ┌─▶ Portal (rows of a statement) ──┐
 *                                  ├─▶ PendingMessages ─────┤                                  ├─▶ PgPublication ─▶ journal
 * reply bytes ───▶ BackendFramer ──┘   (who answers what)   └─▶ PgStatementScript ─────────────┘         └─▶ ServerFacts
 * </pre>
 */
@NullMarked
package dev.understudy.aggregator.postgres.record;

import org.jspecify.annotations.NullMarked;
