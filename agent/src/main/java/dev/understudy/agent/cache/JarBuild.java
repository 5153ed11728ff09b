package dev.understudy.agent.cache;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.zip.CRC32;

/**
 * Tells one build of a jar from another by the jar's directory, which holds a check sum of each file in it, so that the
 * rest needn't be read (APPNOTE.TXT of ZIP, 4.3.12 and 4.3.16).
 */
final class JarBuild {
    private static final int END_BYTES = 22;
    private static final int END_MAGIC = 0x06054b50;
    private static final int SIZE_AT = 12;
    private static final int OFFSET_AT = 16;

    private JarBuild() {}

    /**
     * A check sum of the directory, or of all of a file that doesn't end with one.
     *
     * @throws IOException if the file can't be read
     */
    static CRC32 of(Path jar) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(jar.toFile(), "r")) {
            byte[] end = new byte[END_BYTES];
            long endAt = file.length() - END_BYTES;
            if (endAt >= 0) {
                file.seek(endAt);
                file.readFully(end);
            }
            long size = number(end, SIZE_AT) & 0xFFFFFFFFL;
            long offset = number(end, OFFSET_AT) & 0xFFFFFFFFL;
            boolean ends = number(end, 0) == END_MAGIC && offset + size == endAt;
            byte[] told = new byte[(int) (ends ? size : file.length())];
            file.seek(ends ? offset : 0);
            file.readFully(told);
            CRC32 sum = new CRC32();
            sum.update(told);
            return sum;
        }
    }

    private static int number(byte[] bytes, int at) {
        return (bytes[at] & 0xFF)
                | (bytes[at + 1] & 0xFF) << 8
                | (bytes[at + 2] & 0xFF) << 16
                | (bytes[at + 3] & 0xFF) << 24;
    }
}
