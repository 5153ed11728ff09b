package dev.understudy.aggregator.replay;

import dev.understudy.aggregator.exchange.RecordedReply;
import dev.understudy.aggregator.limit.HeldMemory;
import dev.understudy.aggregator.live.LiveRead;
import org.jspecify.annotations.Nullable;

/** What may answer a request that nothing recorded fits, where its upstream's settings want that. */
public interface Fallback<R extends RecordedReply> {
    /** Answers the request by a stub and returns the stub's name; null if there is none for it. */
    @Nullable
    String stub();

    /** The request as the real server would get it; null if it isn't known to only read. */
    @Nullable
    LiveRead<R> read();

    /** The request as a stand-in would get it, whatever it does; null if it can't be told to one. */
    default @Nullable LiveRead<R> call() {
        return null;
    }

    /** What a running server's reply is charged to while it comes: of the request's connection, or stream. */
    HeldMemory memory();

    /** Nothing may. */
    static <R extends RecordedReply> Fallback<R> none() {
        return new Fallback<>() {
            @Override
            public @Nullable String stub() {
                return null;
            }

            @Override
            public @Nullable LiveRead<R> read() {
                return null;
            }

            @Override
            public HeldMemory memory() {
                return HeldMemory.unlimited();
            }
        };
    }
}
