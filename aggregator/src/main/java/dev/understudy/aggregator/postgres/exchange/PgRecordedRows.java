package dev.understudy.aggregator.postgres.exchange;

import dev.understudy.divergence.wire.postgres.PgMessage;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * DataRow messages whose bodies lie one behind the other: a row as an object of its own takes more memory than its
 * values mostly do. Immutable; messages are made as they are asked for.
 */
final class PgRecordedRows extends AbstractList<PgMessage> implements RandomAccess {
    private static final char DATA_ROW = 'D';

    /** What one takes besides its bodies. */
    private static final int OBJECTS = 40;

    private final byte[] bodies;

    /** Where each body ends; null if there is one only, which is all of the bytes. */
    private final int @Nullable [] ends;

    private PgRecordedRows(byte[] bodies, int @Nullable [] ends) {
        this.bodies = bodies;
        this.ends = ends;
    }

    /** The same messages, in less memory if they are rows. */
    static List<PgMessage> of(List<PgMessage> messages) {
        if (messages instanceof PgRecordedRows || messages.isEmpty()) {
            return messages.isEmpty() ? List.of() : messages;
        }
        long bytes = 0;
        for (PgMessage message : messages) {
            if (message.type() != DATA_ROW) {
                return List.copyOf(messages);
            }
            bytes += message.body().length;
        }
        if (messages.size() == 1) {
            return new PgRecordedRows(messages.get(0).body(), null);
        }
        return bytes > Integer.MAX_VALUE / 2 ? List.copyOf(messages) : packed(messages, (int) bytes);
    }

    private static PgRecordedRows packed(List<PgMessage> messages, int bytes) {
        byte[] bodies = new byte[bytes];
        int[] ends = new int[messages.size()];
        int end = 0;
        int row = 0;
        for (PgMessage message : messages) {
            byte[] body = message.body();
            System.arraycopy(body, 0, bodies, end, body.length);
            end += body.length;
            ends[row++] = end;
        }
        return new PgRecordedRows(bodies, ends);
    }

    @Override
    public PgMessage get(int index) {
        Objects.checkIndex(index, size());
        if (ends == null) {
            return new PgMessage(DATA_ROW, bodies);
        }
        return new PgMessage(DATA_ROW, Arrays.copyOfRange(bodies, index == 0 ? 0 : ends[index - 1], ends[index]));
    }

    @Override
    public int size() {
        return ends == null ? 1 : ends.length;
    }

    /** Bytes of memory that they take. */
    long bytes() {
        return OBJECTS + bodies.length + (ends == null ? 0L : 16L + (long) Integer.BYTES * ends.length);
    }
}
