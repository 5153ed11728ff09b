/**
 * TLS at the debug ports: an authority of our own, a certificate for whatever name a debug port is reached by, and the
 * handler that ends a connection's TLS.
 *
 * <pre>
 *   debug JVM ══TLS══▶ SslHandler ─▶ the protocol's replay        AuthorityFolder ──▶ Authority ──▶ ServerCertificates
 *                          ▲ FirstByteHandler, or the protocol itself (PostgreSQL, MySQL): TlsPort.begin
 * </pre>
 *
 * <p>Nothing here knows production, or an upstream's certificate.
 */
@NullMarked
package dev.understudy.aggregator.tls;

import org.jspecify.annotations.NullMarked;
