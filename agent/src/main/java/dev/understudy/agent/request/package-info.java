/**
 * Binds the threads of HTTP servers to the inbound exchange they work on.
 *
 * <pre>
 * server class ──▶ ServerTransformer ──▶ ServerEntry (the list) ──▶ ExchangeBracket ──▶ ServedExchanges (bootstrap)
 *                                      └▶ StartedTask ─────────────────────────────▶ Asynchronous
 * sockets ──▶ ServerTransformer ──▶ SocketBracket (the JDK's), PlainSocketBracket (before JDK 13) ───▶ Sockets (bootstrap)
 *                                 └▶ NettySockets (the list) ──▶ SocketBracket, CompletionBracket ──▶ Sockets
 * </pre>
 */
@NullMarked
package dev.understudy.agent.request;

import org.jspecify.annotations.NullMarked;
