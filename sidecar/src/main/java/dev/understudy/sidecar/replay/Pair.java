package dev.understudy.sidecar.replay;

import dev.understudy.sidecar.frame.ReplyMemory;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.http.HttpReplyCopy;
import java.util.Collection;

/** One request's two replies, the recorded one and the new one. Guarded by its connection's {@link Replies}. */
final class Pair {
    private static final int LARGEST_BODY = 4 << 20;

    /** Its place on its connection, from 1 on. */
    final int number;

    final Request request;
    final HttpReplyCopy recorded;
    final HttpReplyCopy replayed;

    /** Its client had given it up. */
    boolean cancelled;

    Pair(int number, Request request, ReplyMemory memory) {
        this.number = number;
        this.request = request;
        this.recorded = new HttpReplyCopy(memory, LARGEST_BODY);
        this.replayed = new HttpReplyCopy(memory, LARGEST_BODY);
    }

    /**
     * Whether the new replies of all those pairs have come as far as the recorded ones. Of replies that aren't over in
     * either, all bodies' bytes count together: those of one may wait for the others'.
     */
    static boolean through(Collection<Pair> pairs) {
        long behind = 0;
        for (Pair pair : pairs) {
            if (!pair.replayed.complete()) {
                if (pair.recorded.complete() || (pair.recorded.begun() && !pair.replayed.begun())) {
                    return false;
                }
                behind += pair.recorded.bodyBytes() - pair.replayed.bodyBytes();
            }
        }
        return behind <= 0;
    }

    void drop() {
        recorded.drop();
        replayed.drop();
    }
}
