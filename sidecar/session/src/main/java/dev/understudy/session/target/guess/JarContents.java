package dev.understudy.session.target.guess;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The libraries within an archive that holds others, as Spring Boot's and web archives do, or whose classes are mixed
 * into it, by the descriptors that Maven leaves. Reads the directory at its end only (APPNOTE.TXT 4.3.12 and 4.3.16).
 */
final class JarContents {
    private static final Pattern NESTED = Pattern.compile("(?:BOOT-INF|WEB-INF)/lib/([^/]{1,128}\\.jar)");
    private static final Pattern DESCRIPTOR =
            Pattern.compile("META-INF/maven/[^/]{1,128}/([^/]{1,120})/pom\\.properties");
    private static final int MOST_DIRECTORY = 16 << 20;
    private static final int MOST_END = 22 + 0xffff;
    private static final int END_LENGTH = 22;
    private static final int END_SIGNATURE = 0x06054b50;
    private static final int ENTRY_LENGTH = 46;
    private static final int ENTRY_SIGNATURE = 0x02014b50;
    private static final int MOST_FOUND = 2000;

    private JarContents() {}

    /** Their names: as files, or an artifact's name with a hyphen behind it. None if it is no archive. */
    static Set<String> libraries(Path archive) throws IOException {
        try (FileChannel file = FileChannel.open(archive, StandardOpenOption.READ)) {
            long size = file.size();
            ByteBuffer tail = read(file, Math.max(0, size - MOST_END), (int) Math.min(size, MOST_END));
            for (int at = tail.limit() - END_LENGTH; at >= 0; at--) {
                if (tail.getInt(at) == END_SIGNATURE) {
                    long length = tail.getInt(at + 12) & 0xffffffffL;
                    long start = tail.getInt(at + 16) & 0xffffffffL;
                    // an archive may begin with a script: count from the directory's end
                    long end = size - tail.limit() + at;
                    long begin = end - length >= 0 ? end - length : start;
                    return names(read(file, begin, (int) Math.min(length, MOST_DIRECTORY)));
                }
            }
            return Set.of();
        }
    }

    private static ByteBuffer read(FileChannel file, long from, int most) throws IOException {
        long there = Math.max(0, Math.min(most, file.size() - from));
        ByteBuffer bytes = ByteBuffer.allocate((int) there).order(ByteOrder.LITTLE_ENDIAN);
        long at = from;
        for (int n = file.read(bytes, at); n > 0; n = file.read(bytes, at)) {
            at += n;
        }
        return bytes.flip();
    }

    private static Set<String> names(ByteBuffer directory) {
        Set<String> found = new TreeSet<>();
        int at = 0;
        while (at + ENTRY_LENGTH <= directory.limit()
                && directory.getInt(at) == ENTRY_SIGNATURE
                && found.size() < MOST_FOUND) {
            int name = directory.getShort(at + 28) & 0xffff;
            int extra = directory.getShort(at + 30) & 0xffff;
            int comment = directory.getShort(at + 32) & 0xffff;
            if (at + ENTRY_LENGTH + name > directory.limit()) {
                break;
            }
            byte[] bytes = new byte[name];
            directory.get(at + ENTRY_LENGTH, bytes);
            add(found, new String(bytes, StandardCharsets.UTF_8));
            at += ENTRY_LENGTH + name + extra + comment;
        }
        return found;
    }

    private static void add(Set<String> found, String entry) {
        Matcher nested = NESTED.matcher(entry);
        Matcher descriptor = DESCRIPTOR.matcher(entry);
        if (nested.matches()) {
            found.add(nested.group(1));
        } else if (descriptor.matches()) {
            found.add(descriptor.group(1) + "-");
        }
    }
}
