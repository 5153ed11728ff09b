package dev.understudy.divergence.content.coding;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How a body is coded, as its Content-Encoding headers say (RFC 9110, section 8.4).
 *
 * @param names in lower case, in the order in which they were applied; without {@code identity}
 */
public record ContentCoding(List<String> names) {
    private static final int MOST = 4;

    public ContentCoding {
        names = List.copyOf(names);
    }

    /** What the values of all these headers say. */
    public static ContentCoding of(List<String> headers) {
        List<String> names = new ArrayList<>(1);
        for (String header : headers) {
            for (String name : header.split(",", -1)) {
                String coding = name.strip().toLowerCase(Locale.ROOT);
                if (!coding.isEmpty() && !coding.equals("identity")) {
                    names.add(coding);
                }
            }
        }
        return new ContentCoding(names);
    }

    /** Whether the body is as it is. */
    public boolean isNone() {
        return names.isEmpty();
    }

    /** Whether it can be undone here. */
    public boolean isKnown() {
        return names.size() <= MOST && names.stream().allMatch(ContentCoding::knows);
    }

    private static boolean knows(String name) {
        return switch (name) {
            case "gzip", "x-gzip", "deflate", "br", "zstd" -> true;
            default -> false;
        };
    }

    /**
     * Undoes all of it.
     *
     * @param limit the most bytes that the content may have, and each step on the way to it
     */
    public DecodedContent decode(byte[] coded, int limit) {
        if (!isKnown()) {
            return DecodedContent.failed(DecodedContent.Result.UNKNOWN);
        }
        byte[] content = coded;
        for (int i = names.size() - 1; i >= 0; i--) {
            DecodedContent step = decode(names.get(i), content, limit);
            if (!step.isRead()) {
                return step;
            }
            content = step.bytes();
        }
        return DecodedContent.read(content);
    }

    private static DecodedContent decode(String name, byte[] coded, int limit) {
        try {
            return switch (name) {
                case "deflate" -> Inflation.deflate(coded, limit);
                case "br" -> StreamDecoding.brotli(coded, limit);
                case "zstd" -> StreamDecoding.zstandard(coded, limit);
                default -> Inflation.gzip(coded, limit);
            };
        } catch (LinkageError e) { // no native library for this machine
            return DecodedContent.failed(DecodedContent.Result.UNKNOWN);
        }
    }

    /** The names, as a header has them. */
    @Override
    public String toString() {
        return String.join(", ", names);
    }
}
