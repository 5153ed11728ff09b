package dev.understudy.divergence.content.coding;

/**
 * What came of undoing a content coding. The bytes are shared: leave them unchanged.
 *
 * @param bytes the content; empty unless it could be read
 */
@SuppressWarnings("ArrayRecordComponent") // contents are large: shared, never compared by equals
public record DecodedContent(Result result, byte[] bytes) {
    /** Whether the content is known, or why not. */
    public enum Result {
        READ,
        /** The coding isn't read here. */
        UNKNOWN,
        /** The bytes aren't of that coding, or are cut off. */
        DAMAGED,
        /** The content is larger than allowed. */
        TOO_LARGE
    }

    /** Content that was read. */
    public static DecodedContent read(byte[] bytes) {
        return new DecodedContent(Result.READ, bytes);
    }

    /** Content that isn't known. */
    public static DecodedContent failed(Result why) {
        return new DecodedContent(why, new byte[0]);
    }

    /** What a decoder made, which says whether its input was intact as far as there was room. */
    static DecodedContent of(BoundedBytes content, boolean intact) {
        if (content.hasExceeded()) {
            return failed(Result.TOO_LARGE);
        }
        return intact ? read(content.toByteArray()) : failed(Result.DAMAGED);
    }

    public boolean isRead() {
        return result == Result.READ;
    }
}
