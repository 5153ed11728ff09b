/**
 * TLS on either side of a relay, so that what is tapped is plain text.
 *
 * <pre>
 *   client ══TLS══▶ SslHandler ─▶ TlsEndHandler ─▶ (tap, forward) ─▶ SslHandler ══TLS══▶ production
 *                       │ certificate by the name that the client asks for      │ trust, server name, own certificate
 *                   Certificates ◀── files, looked at from time to time ──▶ ClientTls
 * </pre>
 *
 * <p>Records are encrypted and decrypted on the relay loop; what a handshake computes runs on threads of its own.
 */
@NullMarked
package dev.understudy.relay.tls;

import org.jspecify.annotations.NullMarked;
