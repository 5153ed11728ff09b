package dev.understudy.session.clone.checkpoint;

import dev.understudy.session.clone.CloneException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the two files of CRIU's images that a driver needs. Each is two words of four bytes, and then records: a length
 * of four bytes, the lowest first, and a message.
 *
 * <p>The numbers of fields are those of CRIU's {@code images/*.proto} (stats, fdinfo, regfile).
 */
final class CriuImages {
    /** Of one record. Those of files hold a path and a few numbers. */
    private static final int LARGEST_RECORD = 1 << 20;

    private static final int MOST_RECORDS = 1 << 20;
    private static final int MOST_FILES = 1 << 16;
    private static final int REGULAR_FILE = 1;
    private static final int FORMAT = 0170000;
    private static final int FORMAT_REGULAR = 0100000;

    private CriuImages() {}

    /**
     * A regular file that the process had open for writing.
     *
     * @param path as the process saw it
     * @param flags how it was opened, as for {@code open(2)}
     * @param size its bytes at that moment; where CRIU keeps none, the place up to which the process had written
     */
    record WritableFile(String path, long flags, long size) {}

    /** How long a dump kept the process stopped. */
    static Duration frozen(Path directory) throws CloneException {
        Path file = directory.resolve("stats-dump");
        List<ImageMessage> records = new ArrayList<>();
        read(file, message -> {
            if (records.isEmpty()) {
                records.add(message);
            }
        });
        try {
            byte[] dump = records.isEmpty() ? null : records.get(0).parts().get(1);
            if (dump == null) {
                throw new IOException("no figures of a dump in it");
            }
            long micros = ImageMessage.parse(dump).number(2);
            if (micros < 0 || micros > Duration.ofDays(1).toNanos() / 1000) {
                throw new IOException("stopped for " + micros + " microseconds (expected: at most a day)");
            }
            return Duration.ofNanos(micros * 1000);
        } catch (IOException damaged) {
            throw damaged(file, damaged);
        }
    }

    /** The regular files that were open for writing. */
    static List<WritableFile> writableFiles(Path directory) throws CloneException {
        List<WritableFile> files = new ArrayList<>();
        read(directory.resolve("files.img"), message -> {
            byte[] part = message.parts().get(3);
            if (message.number(1) != REGULAR_FILE || part == null) {
                return;
            }
            ImageMessage file = ImageMessage.parse(part);
            boolean regular = !file.numbers().containsKey(10) || (file.number(10) & FORMAT) == FORMAT_REGULAR;
            byte[] name = file.parts().get(6);
            if ((file.number(2) & 3) != 0 && regular && name != null) {
                if (files.size() == MOST_FILES) {
                    throw new IOException("more than " + MOST_FILES + " files open for writing");
                }
                String path = new String(name, StandardCharsets.UTF_8);
                long size = file.numbers().containsKey(8) ? file.number(8) : file.number(3);
                files.add(new WritableFile(path.startsWith("/") ? path : "/" + path, file.number(2), size));
            }
        });
        return files;
    }

    private static void read(Path file, Records records) throws CloneException {
        try (InputStream raw = Files.newInputStream(file);
                DataInputStream in = new DataInputStream(new BufferedInputStream(raw))) {
            in.readLong();
            for (int count = 0; ; count++) {
                int first = in.read();
                if (first < 0) {
                    return;
                }
                int second = in.readUnsignedByte();
                int third = in.readUnsignedByte();
                int length = first | second << 8 | third << 16 | in.readUnsignedByte() << 24;
                if (count == MOST_RECORDS) {
                    throw new IOException("more than " + MOST_RECORDS + " records");
                }
                if (length < 0 || length > LARGEST_RECORD) {
                    throw new IOException("a record of " + Integer.toUnsignedLong(length) + " bytes (expected: at most "
                            + LARGEST_RECORD + ")");
                }
                byte[] body = in.readNBytes(length);
                if (body.length < length) {
                    throw new EOFException();
                }
                records.accept(ImageMessage.parse(body));
            }
        } catch (EOFException cut) {
            throw damaged(file, new IOException("it is cut off", cut));
        } catch (IOException damaged) {
            throw damaged(file, damaged);
        }
    }

    private static CloneException damaged(Path file, IOException cause) {
        return new CloneException(
                file + ": " + cause.getMessage() + "; the snapshot can't be used: make another one", cause);
    }

    /** What receives the records of a file, one after another. */
    private interface Records {
        void accept(ImageMessage message) throws IOException;
    }
}
