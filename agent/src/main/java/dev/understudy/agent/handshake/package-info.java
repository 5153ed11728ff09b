/**
 * How a JVM learns that it is the debug one when nobody has told it: by a key that it shares with the sidecar, and by a
 * connection that the sidecar makes to its debug JVM and to no other.
 *
 * <pre>
 *   Handshake ──nonce──▶ POST /v1/handshake ──▶ the sidecar connects to its debug JVM, and says from where, signed
 *       ▲                                             │
 *       └── OwnSockets: has this process accepted that connection, on a port where it listens? ◀─┘
 * </pre>
 *
 * <p>Nothing here is woven into the application, and nothing of the bootstrap part is needed.
 */
@NullMarked
package dev.understudy.agent.handshake;

import org.jspecify.annotations.NullMarked;
