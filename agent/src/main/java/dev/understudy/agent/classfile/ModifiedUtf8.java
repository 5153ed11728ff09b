package dev.understudy.agent.classfile;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Texts in the form of JVMS §4.4.7, behind their lengths of two bytes; those in ASCII, which are nearly all, without a stream. */
public final class ModifiedUtf8 {
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

    static byte[] write(String text) {
        byte[] plain = text.getBytes(StandardCharsets.UTF_8);
        boolean ascii = plain.length <= 0xFFFF
                && text.indexOf(0) < 0
                && text.equals(new String(plain, StandardCharsets.ISO_8859_1));
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream(plain.length + 2);
            if (ascii) {
                out.write(plain.length >>> 8);
                out.write(plain.length);
                out.write(plain);
            } else {
                new DataOutputStream(out).writeUTF(text);
            }
            return out.toByteArray();
        } catch (IOException tooLong) {
            throw new UnusualClassFile(tooLong.toString());
        }
    }
}
