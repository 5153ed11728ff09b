package dev.understudy.aggregator.exchange;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How the replies of one protocol are written to disk and read back. One for each upstream; used on the thread of its
 * journal's disk.
 */
public interface ReplyCodec<R extends RecordedReply> {

    /** Another number for each protocol and format: what was written with another is never read. */
    int format();

    /** Writes all of a reply but its {@link RecordedReply#large}, which {@link PackedReader#large} gives back. */
    void encode(R reply, PackedWriter out);

    /**
     * Reads what {@link #encode} wrote.
     *
     * @param kept what was kept of it; null where another process wrote it, or there is nothing to keep
     * @throws IOException if it isn't a reply; any {@code RuntimeException} means the same
     */
    R decode(PackedReader in, @Nullable Object kept) throws IOException;

    /**
     * What of a reply must be the same object when it is read back, since it still changes or is shared; null for
     * nothing.
     */
    default @Nullable Object kept(R reply) {
        return null;
    }
}
