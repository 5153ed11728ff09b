package dev.understudy.session.target.proc;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The files that the kernel shows of one process. All reading is bounded, as what they hold is the process's own
 * choice.
 *
 * <p>A process that has ended shows as a {@link java.nio.file.NoSuchFileException}, or as an empty file.
 */
public final class ProcFiles {
    private static final int MOST_LINE = 8192;

    private final Path folder;

    /** @param proc {@code /proc}, or what looks like it */
    public ProcFiles(Path proc, long pid) {
        this.folder = proc.resolve(Long.toString(pid));
    }

    /** Where a file of it is. */
    public Path path(String name) {
        return folder.resolve(name);
    }

    /** The beginning of a file, at most so many bytes of it. */
    public String text(String name, int most) throws IOException {
        try (InputStream in = Files.newInputStream(path(name))) {
            return new String(in.readNBytes(most), StandardCharsets.UTF_8);
        }
    }

    /** The words of a file that ends each with a NUL; what is cut off at the limit is the last one. */
    public List<String> words(String name, int mostBytes, int mostWords) throws IOException {
        String text = text(name, mostBytes);
        List<String> words = new ArrayList<>();
        for (int at = 0; at < text.length() && words.size() < mostWords; ) {
            int end = text.indexOf('\0', at);
            end = end < 0 ? text.length() : end;
            words.add(text.substring(at, end));
            at = end + 1;
        }
        return words;
    }

    /** The lines of a file, one after the other, each cut at a limit; false if there were more than so many. */
    public boolean lines(String name, int most, Consumer<String> each) throws IOException {
        try (Reader in =
                new BufferedReader(new InputStreamReader(Files.newInputStream(path(name)), StandardCharsets.UTF_8))) {
            StringBuilder line = new StringBuilder(256);
            int seen = 0;
            for (int c = in.read(); c >= 0; c = in.read()) {
                if (c != '\n') {
                    if (line.length() < MOST_LINE) {
                        line.append((char) c);
                    }
                    continue;
                }
                if (++seen > most) {
                    return false;
                }
                each.accept(line.toString());
                line.setLength(0);
            }
            if (line.length() > 0) {
                each.accept(line.toString());
            }
            return true;
        }
    }

    /** The names in a folder; false if there were more than so many. */
    public boolean names(String name, int most, Consumer<String> each) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path(name))) {
            int seen = 0;
            for (Path entry : entries) {
                if (++seen > most) {
                    return false;
                }
                each.accept(entry.getFileName().toString());
            }
            return true;
        }
    }

    /** What a link points to, which may be no path. */
    public String link(String name) throws IOException {
        return Files.readSymbolicLink(path(name)).toString();
    }
}
