/**
 * Binds the threads of HTTP servers to the inbound exchange they work on.
 *
 * <pre>
 *   server class ──▶ ServerTransformer ──▶ ServerEntry (the list) ──▶ ExchangeBracket ──▶ Exchanges (bootstrap)
 *                                        └▶ StartedTask ─────────────────────────────▶ Asynchronous
 * </pre>
 */
@NullMarked
package dev.understudy.agent.request;

import org.jspecify.annotations.NullMarked;
