package dev.understudy.testing.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Parts of a program's log, of which there may be any amount. A log that can't be read is empty. */
public final class LogText {
    private static final int MOST_BEGINNING = 4 << 20;
    private static final int MOST_END = 16 << 10;
    private static final int SHOWN_LINES = 20;

    private LogText() {}

    /** The first 4 MiB. */
    static String beginning(Path log) {
        return part(log, MOST_BEGINNING, true);
    }

    /** The last 20 lines, under the name of the file. */
    public static String tail(Path log) {
        List<String> lines = part(log, MOST_END, false).lines().toList();
        return log + ":\n" + String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
    }

    /** The first 20 lines, likewise: of a command that says what is wrong, and then how it is used. */
    public static String head(Path log) {
        List<String> lines =
                part(log, MOST_END, true).lines().limit(SHOWN_LINES).toList();
        return log + ":\n" + String.join("\n", lines);
    }

    private static String part(Path log, int most, boolean isFirst) {
        try (SeekableByteChannel file = Files.newByteChannel(log)) {
            long begin = isFirst ? 0 : Math.max(0, file.size() - most);
            file.position(begin);
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(most, file.size() - begin));
            while (bytes.hasRemaining() && file.read(bytes) >= 0) {}
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            return "";
        }
    }
}
