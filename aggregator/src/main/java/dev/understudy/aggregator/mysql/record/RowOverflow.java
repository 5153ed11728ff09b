package dev.understudy.aggregator.mysql.record;

import dev.understudy.aggregator.body.BodyWriter;
import dev.understudy.aggregator.body.LargeBodies;
import dev.understudy.aggregator.body.LargeBody;
import dev.understudy.aggregator.mysql.exchange.LargeRows;
import dev.understudy.aggregator.record.Overflow;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.divergence.wire.mysql.PacketParts;
import dev.understudy.divergence.wire.mysql.PacketTaker;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of one reply that were too many for memory, or too long, on their way to files. Confined to its connection. */
final class RowOverflow {
    private final @Nullable LargeBodies bodies;
    private final Overflow overflow = new Overflow();
    private final List<Long> counts = new ArrayList<>(1);
    private boolean refused;

    /** @param bodies null if there are no files: then nothing is taken */
    RowOverflow(@Nullable LargeBodies bodies) {
        this.bodies = bodies;
    }

    /** Takes rows of the result of this number, behind those that it has of it; false if they aren't kept. */
    boolean add(int result, List<byte[]> rows) {
        BodyWriter into = into();
        if (into == null) {
            return false;
        }
        for (byte[] row : rows) {
            PacketParts.each(row.length, (header, from, length) -> {
                into.add(header);
                into.add(ByteBuffer.wrap(row, from, length));
            });
        }
        count(result, rows.size());
        return true;
    }

    /** What takes one row of that result that is too long to be held; it is passed over if it isn't kept. */
    PacketTaker row(int result) {
        BodyWriter into = into();
        return new PacketTaker() {
            @Override
            public void part(int length) {
                if (into != null) {
                    into.add(PacketParts.header(length));
                }
            }

            @Override
            public void bytes(ByteBuffer some) {
                if (into != null) {
                    into.add(some);
                }
            }

            @Override
            public void end() {
                count(result, 1);
            }
        };
    }

    private @Nullable BodyWriter into() {
        refused |= bodies == null;
        return bodies == null || refused ? null : overflow.into(bodies);
    }

    private void count(int result, long rows) {
        while (counts.size() <= result) {
            counts.add(0L);
        }
        counts.set(result, counts.get(result) + rows);
    }

    /** Whether there is any. */
    boolean any() {
        return overflow.any();
    }

    /** Bytes of memory that this holds. */
    long heldBytes() {
        return overflow.heldBytes() + (long) Long.BYTES * counts.size();
    }

    /** Why some of it isn't kept; null if all is. */
    @Nullable
    Unrecorded lost() {
        return refused ? Unrecorded.TOO_LARGE : overflow.lost();
    }

    /** All of it, for a reply of so many results; null if there is none. */
    @Nullable
    LargeRows take(int results) {
        LargeBody body = overflow.take();
        if (body == null) {
            return null;
        }
        if (results > 0) {
            count(results - 1, 0);
        }
        return new LargeRows(counts, body);
    }

    /** Nobody wants it, nor what is still to come. */
    void abandon() {
        refused = true;
        overflow.abandon();
    }
}
