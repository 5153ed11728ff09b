package dev.understudy.sidecar.frame;

import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.relay.lane.MemoryBudget;
import dev.understudy.sidecar.tee.RequestStart;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All that lanes need of a protocol: how to cut it, keep it, compare it. Safe for use by several threads. */
public interface Dialect {
    /** What its requests are counted as in traces: {@code http}, {@code redis}. */
    String name();

    /** Cuts what one client sends. */
    <X> RequestStream requests(RequestStream.Cut<X> cut);

    /**
     * Cuts what one side answers.
     *
     * @param side the {@link #copy} of an exchange that this side's reply goes to
     */
    <X> ReplyStream<X> replies(Function<X, ReplyCopy> side, ReplyStream.End<X> end);

    /** Room for one reply, of which {@code most} bytes are kept. */
    ReplyCopy copy(ReplyMemory memory, int most);

    /** How a connection is joined in its middle; null if it can't be. */
    @Nullable
    RequestStart start();

    /**
     * What a connection sets up, if its copy can begin again with that said first; null if requests stand for
     * themselves, or it can't.
     *
     * @param memory what is held is charged to it
     */
    default @Nullable FrameSession session(MemoryBudget memory) {
        return null;
    }

    /** Whether requests that follow one another mean the same on another connection. */
    default boolean requestsStandAlone() {
        return false;
    }

    /** Whether a request means the same when it is sent once more, over a connection of its own. */
    default boolean canReplay(Request request) {
        return false;
    }

    /** The same for requests that are sent once more: what their replies say of identities isn't learned. */
    default Dialect forReplay() {
        return this;
    }

    /** Whether a request can bring the trace that it belongs to. */
    default boolean tellsTraces() {
        return false;
    }

    /**
     * What the debug JVM is told on one connection: the same as production if nothing else is said.
     *
     * @param memory what is held is charged to it
     */
    default RequestRewriter telling(MemoryBudget memory) {
        return (request, raw, traceparent) -> raw;
    }

    /**
     * Stands for what the client that made it is known by to both JVMs, and tells nothing of it; null if for nothing.
     */
    default @Nullable String sessionOf(Request request) {
        return null;
    }

    /**
     * Compares two replies that came to their ends. Secrets aren't masked yet.
     *
     * @param times from the request's arrival at that side to the end of its reply
     */
    Verdict compare(Request request, ReplyCopy production, TextSpan times, ReplyCopy debug, TextSpan debugTimes);
}
