package dev.understudy.divergence.compare.raw;

import java.nio.ByteBuffer;

/** The first bytes of what one side says in a turn. Confined to one thread. */
public final class ReplyOpening {
    /**
     * The type of a TLS record that holds a handshake message, and the first byte of its version (RFC 8446, section
     * 5.1).
     */
    private static final byte[] HANDSHAKE = {0x16, 3};

    private static final int VERSION_AT = 2;
    private static final int LAST_VERSION = 4;
    /** Longer words aren't told. */
    public static final int LONGEST_WORD = 12;

    private final ByteBuffer bytes;

    /** @param most how many bytes are kept; more than the longest word has */
    public ReplyOpening(int most) {
        bytes = ByteBuffer.allocate(most);
    }

    /** What was said next, whose position stays as it is. */
    public void add(ByteBuffer data) {
        int part = Math.min(bytes.remaining(), data.remaining());
        if (part > 0) {
            bytes.put(data.slice(data.position(), part));
        }
    }

    /** Whether TLS begins there. */
    boolean isTls() {
        return bytes.position() > VERSION_AT
                && bytes.get(0) == HANDSHAKE[0]
                && bytes.get(1) == HANDSHAKE[1]
                && bytes.get(VERSION_AT) >= 0
                && bytes.get(VERSION_AT) <= LAST_VERSION;
    }

    /** The word that it begins with if something is said about it; never one alone, which may be a password. */
    public String word() {
        int at = 0;
        while (at < Math.min(bytes.position(), LONGEST_WORD + 1)
                && Character.isLetter(bytes.get(at))
                && bytes.get(at) > 0) {
            at++;
        }
        boolean ends = at > 0 && at < bytes.position() && bytes.get(at) == ' ';
        StringBuilder word = new StringBuilder();
        for (int i = 0; ends && i < at; i++) {
            word.append((char) bytes.get(i));
        }
        return word.toString();
    }

    /** What is kept: printable ASCII as it is, others as {@code \x00}. */
    String text() {
        return Excerpt.text(bytes);
    }
}
