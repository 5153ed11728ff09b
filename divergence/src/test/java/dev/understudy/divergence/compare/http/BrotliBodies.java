package dev.understudy.divergence.compare.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Bodies in Brotli, for which Java has a decoder only: some that the C library compressed, and any that is stored. */
final class BrotliBodies {
    /** Forty items at noon, of quality 11. */
    private static final String PRODUCTION =
            "G2cEoKwK7Gb3bLCnj4m52W4KnoEiRC2yl1dXxUPyAuX1jHh6spgu0DShS5osmVfF0hU6AQIvvws5"
                    + "sbU3/EiBJgGXHfHA4RBONuGhaAQSO7N+9nMzFUCp5eE1hMYiM2IjiWlpQxkTWQM5Y3lmOmLrjtRROlrH6NhKjnDDyx4TmMgkJjOFqaEm"
                    + "3PCyxwxmMovZzGFu6Ak3vOl9qmasN3sA55ikOvCq1JU6atck/Q==";
    /** The same three minutes later, of quality 4. */
    private static final String DEBUG =
            "G2cEAESrNZXdiX7IwqGr8FVAuooQEjtd+03x2Gf6KVV5IDQc0eQoOk5+D9R6vjhh9GN0WX9xPd3RBYuR"
                    + "GATn2xtd+B9kK2pczGRxYxImSTIq2YSUljyrWVstwtk9LfuqZlWzqpZ+a/lXVWEJa9aYkZkyM2bOLJglaDksYc0aczJX5sbcmQfzBD2HJa"
                    + "xH+8F2EBxv6AKj5ZE+MpZqnd7JFQbBow5e0EXNp0h/";

    private static final int LARGEST = 1 << 16;

    private BrotliBodies() {}

    /** Compressed if it is one of those bodies, else stored. */
    static byte[] of(byte[] content, boolean production) {
        String text = new String(content, StandardCharsets.UTF_8);
        boolean known = text.contains("123.45") && text.contains(production ? "12:00:00Z" : "12:03:00Z");
        return known ? Base64.getDecoder().decode(production ? PRODUCTION : DEBUG) : stored(content);
    }

    /** Blocks without compression (RFC 7932, section 9.2) of a window of 64 KiB, and an empty last one. */
    static byte[] stored(byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int at = 0; at < content.length || at == 0; at += LARGEST) {
            int length = Math.min(LARGEST, content.length - at);
            // a bit of the window (first block only), one for "not the last", two for four nibbles, all 0
            int zeros = at == 0 ? 4 : 3;
            int word = (length - 1) << zeros | 1 << (zeros + 16);
            out.write(word);
            out.write(word >> 8);
            out.write(word >> 16);
            out.write(content, at, length);
        }
        out.write(3); // last, empty
        return out.toByteArray();
    }
}
