package dev.understudy.divergence.compare.sql;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one result as they were sent, or, once they are too many, their number and hashes. Confined to one
 * thread.
 */
public final class SqlRows {
    private static final int OVERHEAD = 48;

    private final List<Row> rows = new ArrayList<>();
    private @Nullable RowHashes hashes;
    private long count;
    private long held;

    /** Makes values of the bytes of a row. */
    public interface Decoder {
        /**
         * The row's values as texts, null for NULL. May throw any unchecked exception where the bytes aren't a row:
         * then they are shown as bytes.
         */
        List<@Nullable String> values(byte[] row);
    }

    /** @param bytes as sent, not a copy */
    record Row(byte[] bytes, Decoder decoder) {
        List<@Nullable String> values() {
            try {
                return decoder.values(bytes);
            } catch (RuntimeException noRow) {
                List<@Nullable String> none = new ArrayList<>(1);
                none.add("(" + bytes.length + " bytes)");
                return none;
            }
        }
    }

    /** The next row; the bytes are the receiver's. */
    void add(byte[] row, Decoder decoder) {
        count++;
        if (hashes != null) {
            hashes.add(row);
        } else {
            rows.add(new Row(row, decoder));
            held += OVERHEAD + row.length;
        }
    }

    /** Keeps nothing but number and hashes, from the first row on. */
    void forget() {
        if (hashes == null) {
            hashes = hashed();
            rows.clear();
            held = 0;
        }
    }

    /** How many there are. */
    public long count() {
        return count;
    }

    /** Whether the rows themselves are there. */
    boolean held() {
        return hashes == null;
    }

    /** Bytes of memory that they take. */
    long heldBytes() {
        return held;
    }

    List<Row> rows() {
        return rows;
    }

    /** To be asked for once, when no more rows come. */
    RowHashes hashes() {
        return hashes == null ? hashed() : hashes;
    }

    private RowHashes hashed() {
        RowHashes all = new RowHashes();
        rows.forEach(row -> all.add(row.bytes()));
        return all;
    }
}
