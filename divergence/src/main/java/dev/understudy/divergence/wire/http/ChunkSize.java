package dev.understudy.divergence.wire.http;

/** The syntax of chunk-size lines (RFC 9112, section 7.1). */
final class ChunkSize {
    /** The longest chunk-size line, extensions included. */
    static final int MAX_LINE = 4096;

    private static final int MAX_DIGITS = 15;

    private ChunkSize() {}

    /** The size that a chunk-size line gives; extensions are passed over. */
    static long parse(String line) throws Unframable {
        long size = 0;
        int at = 0;
        while (at < line.length() && Character.digit(line.charAt(at), 16) >= 0 && line.charAt(at) < 128) {
            size = 16 * size + Character.digit(line.charAt(at), 16);
            if (++at > MAX_DIGITS) {
                throw new Unframable("chunk size too large");
            }
        }
        int after = at;
        while (after < line.length() && (line.charAt(after) == ' ' || line.charAt(after) == '\t')) {
            after++;
        }
        if (at == 0 || (after < line.length() && line.charAt(after) != ';')) {
            throw new Unframable("malformed chunk size");
        }
        return size;
    }
}
