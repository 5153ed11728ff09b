package dev.understudy.divergence.compare.raw;

import dev.understudy.divergence.mask.Masking;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * What two replies say where they begin to differ, and just before: printable ASCII as it is, other bytes as
 * {@code \x00}.
 *
 * <p>It begins where a name stands that may tell a secret, which masking looks for: at what isn't printable, or where
 * the reply begins. If that is too far away, the word in which they differ isn't shown. Confined to one thread.
 */
final class Excerpt {
    private static final HexFormat HEX = HexFormat.of();
    private static final int BEFORE = 96;
    private static final int AFTER = 48;

    private final byte[] before = new byte[BEFORE];
    private final ByteBuffer production = ByteBuffer.allocate(AFTER);
    private final ByteBuffer debug = ByteBuffer.allocate(AFTER);
    private long equal;

    /** The next bytes, which both said. */
    void same(ByteBuffer bytes) {
        ByteBuffer last = bytes.duplicate();
        int passed = Math.max(0, last.remaining() - BEFORE);
        last.position(last.position() + passed);
        equal += passed;
        while (last.hasRemaining()) {
            before[(int) (equal++ % BEFORE)] = last.get();
        }
    }

    /** The next bytes of production since they differ. */
    void production(ByteBuffer bytes) {
        append(production, bytes);
    }

    /** The next bytes of debug since they differ. */
    void debug(ByteBuffer bytes) {
        append(debug, bytes);
    }

    String ofProduction() {
        return shown(production);
    }

    String ofDebug() {
        return shown(debug);
    }

    private static void append(ByteBuffer side, ByteBuffer bytes) {
        int part = Math.min(side.remaining(), bytes.remaining());
        side.put(bytes.slice(bytes.position(), part));
    }

    private String shown(ByteBuffer side) {
        long from = equal;
        long reach = Math.max(0, equal - BEFORE);
        while (from > reach && isPrintable(before[(int) ((from - 1) % BEFORE)])) {
            from--;
        }
        StringBuilder text = new StringBuilder();
        boolean named = from == 0 || from > reach;
        for (long at = from; named && at < equal; at++) {
            append(text, before[(int) (at % BEFORE)]);
        }
        int at = 0;
        if (!named) {
            text.append('…');
            while (at < side.position() && !endsWord(side.get(at))) {
                at++;
            }
            text.append(at > 0 ? Masking.MASK : "");
        }
        for (; at < side.position(); at++) {
            append(text, side.get(at));
        }
        return text.toString();
    }

    /** All that was put into {@code bytes}. */
    static String text(ByteBuffer bytes) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < bytes.position(); at++) {
            append(text, bytes.get(at));
        }
        return text.toString();
    }

    private static void append(StringBuilder text, byte b) {
        if (isPrintable(b)) {
            text.append((char) b);
        } else {
            text.append("\\x").append(HEX.toHexDigits(b));
        }
    }

    private static boolean endsWord(byte b) {
        return !isPrintable(b) || " &,;<>\"'".indexOf(b) >= 0;
    }

    private static boolean isPrintable(byte b) {
        return b >= ' ' && b < 0x7F;
    }
}
