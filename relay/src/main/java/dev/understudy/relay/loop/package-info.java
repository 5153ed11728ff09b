/**
 * The threads that move bytes, and the sockets that they serve.
 *
 * <p>{@link dev.understudy.relay.loop.EventLoops} holds two groups that share nothing: relay loops for clients and
 * production, lane loops for the debug side, each with its own thread for looking names up. {@link
 * dev.understudy.relay.loop.Transport} is how they ask the kernel.
 */
@NullMarked
package dev.understudy.relay.loop;

import org.jspecify.annotations.NullMarked;
