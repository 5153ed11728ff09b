package dev.understudy.aggregator.exchange;

import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.match.ReplyGroup;
import dev.understudy.divergence.content.ValueWords;
import org.jspecify.annotations.Nullable;

/** What an upstream answered to one request, in whatever shape its protocol replays best. Immutable. */
public interface RecordedReply {

    /** Bytes of memory that this reply holds, without the fixed overhead of a journal entry. */
    long bytes();

    /**
     * Tells different answers apart: equal for two replies that say the same. Dates and request ids of a protocol's
     * head are left out.
     */
    long answer();

    /** Adds the values that stand in it, as far as they can be read. */
    default void addTo(ValueWords words) {}

    /** The replies that belong to it; null if it stands alone. */
    default @Nullable ReplyGroup group() {
        return null;
    }

    /** Whether it isn't complete: more of it comes while it is kept, or being given. */
    default boolean isOpen() {
        return false;
    }

    /** It will be given to nobody: what it holds beside its {@link #bytes} may go. */
    default void discard() {
        LargeBody large = large();
        if (large != null) {
            large.discard();
        }
    }

    /**
     * The part of it that lies in files, and isn't among its {@link #bytes}; null if there is none. Replies that have
     * one are given once, and whoever is given one closes it.
     */
    default @Nullable LargeBody large() {
        return null;
    }
}
