/**
 * How an agent learns from the sidecar that its JVM is a debug one.
 *
 * <pre>
 * POST /v1/handshake ──▶ HandshakeControl ──signed with AgentKey──▶ from where DebugDials has connected to debug JVMs just now
 * </pre>
 *
 * <p>Production is never connected to here; an agent in its JVM finds none of these connections among its own.
 */
@NullMarked
package dev.understudy.sidecar.handshake;

import org.jspecify.annotations.NullMarked;
