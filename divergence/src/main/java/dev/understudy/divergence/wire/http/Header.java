package dev.understudy.divergence.wire.http;

/**
 * One header field as it stood on the wire: the name in its own case, the value without surrounding blanks.
 *
 * <p>Bytes are read and written as ISO 8859-1, so that every value survives unchanged.
 *
 * @param name never empty; compared without regard to case
 * @param value may be empty; contains no CR, LF or NUL
 */
public record Header(String name, String value) {
    /** @throws IllegalArgumentException if a name or value could break out of its line */
    public Header {
        if (name.isEmpty() || unsafe(name) || name.indexOf(':') >= 0) {
            throw new IllegalArgumentException("header name: '" + name + "' (expected: a token)");
        }
        if (unsafe(value)) {
            throw new IllegalArgumentException("value of header " + name + " (expected: no CR, LF or NUL)");
        }
    }

    public boolean is(String otherName) {
        return name.equalsIgnoreCase(otherName);
    }

    private static boolean unsafe(String text) {
        return text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0 || text.indexOf('\0') >= 0;
    }
}
