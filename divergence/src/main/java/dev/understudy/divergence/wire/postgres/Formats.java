package dev.understudy.divergence.wire.postgres;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The format codes of a list of values as Bind gives them: none (all text), one for all, or one each. Immutable.
 */
public final class Formats {
    /** All values as text. */
    public static final Formats TEXT = new Formats(new short[0]);

    private final short[] codes;

    private Formats(short[] codes) {
        this.codes = codes;
    }

    public static Formats of(short... codes) {
        return new Formats(codes.clone());
    }

    /**
     * Those that a RowDescription ({@code 'T'}) names, one for each column.
     *
     * @throws MalformedMessageException if it is none
     */
    public static Formats announced(PgMessage rowDescription) {
        PgReader reader = rowDescription.reader();
        short[] codes = new short[reader.count(Column.LEAST)];
        for (int i = 0; i < codes.length; i++) {
            reader.string();
            reader.bytes(Column.BEFORE_FORMAT);
            codes[i] = reader.int16();
        }
        return new Formats(codes);
    }

    static Formats read(PgReader reader) {
        return new Formats(reader.int16s(reader.count(2)));
    }

    /** The codes as they were given, a copy. */
    public short[] codes() {
        return codes.clone();
    }

    /** The code of the value at an index: 0 for text, 1 for binary; 0 where the list is too short. */
    public short code(int index) {
        if (codes.length == 1) {
            return codes[0];
        }
        return index < codes.length ? codes[index] : 0;
    }

    /** Whether the value at an index is in binary format. */
    public boolean binary(int index) {
        return code(index) == 1;
    }

    /** Whether both lists say the same about the first {@code count} values. */
    public boolean sameFor(int count, Formats other) {
        for (int i = 0; i < count; i++) {
            if (code(i) != other.code(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Formats formats && Arrays.equals(codes, formats.codes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(codes);
    }

    @Override
    public String toString() {
        return Arrays.toString(codes);
    }
}
