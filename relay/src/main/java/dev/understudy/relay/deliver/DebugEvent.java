package dev.understudy.relay.deliver;

import io.netty.buffer.ByteBuf;

/** One thing the debug JVM still has to be told, with the time at which production was told it. */
public sealed interface DebugEvent {
    /** {@link System#nanoTime()} when the relay saw it. */
    long nanos();

    /**
     * Bytes of the client.
     *
     * @param data owned by the cue, and from {@link Window#offer} on by the window
     * @param exchange number of the exchange that the bytes belong to, or -1
     */
    record Bytes(ByteBuf data, long nanos, long exchange) implements DebugEvent {}

    /** The client's FIN: the debug JVM sees the end of its input and may still answer. */
    record EndOfInput(long nanos) implements DebugEvent {}

    /** The connection is over on production's side in good order. */
    record Close(long nanos) implements DebugEvent {}

    /** The connection was reset on production's side. */
    record Reset(long nanos) implements DebugEvent {}
}
