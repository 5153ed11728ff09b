package dev.understudy.agent.classfile;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Texts in the form of JVMS §4.4.7, behind their lengths of two bytes; those in ASCII, which are nearly all, without a
 * stream.
 */
public final class ModifiedUtf8 {
    /** How many sketches there are. */
    public static final int SKETCHES = 1 << 12;

    private ModifiedUtf8() {}

    /**
     * The text of {@code length} bytes at {@code at}, before which the length stands.
     *
     * @throws UnusualClassFile if it isn't one
     */
    public static String read(byte[] bytes, int at, int length) {
        String ascii = new String(bytes, at, length, StandardCharsets.UTF_8);
        if (ascii.length() == length && ascii.indexOf('\uFFFD') < 0) {
            return ascii;
        }
        try {
            return new DataInputStream(new ByteArrayInputStream(bytes, at - 2, length + 2)).readUTF();
        } catch (IOException malformed) {
            throw new UnusualClassFile(malformed.toString());
        }
    }

    /**
     * The number below {@link #SKETCHES} of the {@code length} bytes at {@code at}, made of how many there are and
     * three of them.
     */
    static int sketch(byte[] bytes, int at, int length) {
        if (length == 0) {
            return 0;
        }
        int hash = length + 31 * (bytes[at] + 31 * (bytes[at + length / 2] + 31 * bytes[at + length - 1]));
        return (hash ^ (hash >>> 12)) & (SKETCHES - 1);
    }

    /** The same of a text. */
    public static int sketch(String text) {
        byte[] written = write(text);
        return sketch(written, 2, written.length - 2);
    }

    static byte[] write(String text) {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        boolean ascii = plain.length <= 0xFFFF
                && text.indexOf(0) < 0
                && text.equals(new String(plain, StandardCharsets.ISO_8859_1));
        if (ascii) {
            byte[] written = new byte[plain.length + 2];
            written[0] = (byte) (plain.length >>> 8);
            written[1] = (byte) plain.length;
            System.arraycopy(plain, 0, written, 2, plain.length);
            return written;
        }
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length + 2);
            new DataOutputStream(out).writeUTF(text);
            return out.toByteArray();
        } catch (IOException tooLong) {
            throw new UnusualClassFile(tooLong.toString());
        }
    }
}
