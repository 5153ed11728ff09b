package dev.understudy.standin.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file of traces: OTLP/JSON, whole or one object on each line, or what Jaeger's HTTP API answers. */
public final class TraceFile {
    private TraceFile() {}

    /**
     * Adds the spans of a file to a store. It is read as a stream, so it may be of any size.
     *
     * @throws IOException if it can't be read, isn't JSON, or holds no span; the message names the file and the line
     */
    public static void read(Path file, TraceStore store) throws IOException {
        if (Files.isDirectory(file) || !Files.exists(file)) {
            throw new IOException(file + ": no such file (expected: OTLP/JSON, or what Jaeger's API answers)");
        }
        long before = store.seen();
        try (InputStream in = Files.newInputStream(file)) {
            TraceParser.traces(in, file.toString(), store);
        } catch (FileSystemException unreadable) {
            throw new IOException(file + ": couldn't be read (" + unreadable + ")", unreadable);
        }
        if (store.seen() == before) {
            throw new IOException(file + ": no spans (expected: resourceSpans of OTLP/JSON, or data of Jaeger's API)");
        }
    }
}
