/**
 * Protocols that nobody here knows: the nth debug connection is played what the server said on production's nth
 * connection.
 *
 * <pre>
 *   production's bytes ─▶ TcpRecorder ─▶ Conversation, the nth ─▶ TcpReplayHandler ─▶ the nth debug connection
 *                                              └── Conversations ──┘
 * </pre>
 *
 * <p>A reply is written once the debug side has sent, byte by byte, what production had sent before that reply came.
 */
@NullMarked
package dev.understudy.aggregator.tcp;

import org.jspecify.annotations.NullMarked;
