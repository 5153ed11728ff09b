/**
 * PostgreSQL's frontend/backend protocol, versions 3.0 to 3.2, cut into messages.
 *
 * <pre>
 *  client bytes ─▶ FrontendFramer ─▶ PgSink.startup (StartupPacket) · PgSink.message (PgMessage ─▶ Frontend)
 *  server bytes ─▶ BackendFramer  ─▶ PgSink.encryptionAnswer        · PgSink.message (PgMessage ─▶ Column …)
 * </pre>
 *
 * <p>The framers only cut; they keep no more of a message than a limit, never allocate what a length field asks for,
 * and never throw. Values inside the messages are the business of the {@code value} package.
 */
@NullMarked
package dev.understudy.divergence.wire.postgres;

import org.jspecify.annotations.NullMarked;
