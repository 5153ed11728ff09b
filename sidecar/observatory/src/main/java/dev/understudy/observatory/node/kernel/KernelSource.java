package dev.understudy.observatory.node.kernel;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A file of the kernel that may be missing: then there is one message, and its text is empty. One thread. */
final class KernelSource implements AutoCloseable {
    private final Path path;
    private final Consumer<String> notices;
    private final @Nullable KernelFile file;
    private boolean isFailing;

    /**
     * Opens it.
     *
     * @param missing what isn't known without it, and the way out
     * @param notices gets one message at most for each change
     */
    KernelSource(Path path, String missing, Consumer<String> notices) {
        this.path = path;
        this.notices = notices;
        KernelFile opened = null;
        try {
            opened = KernelFile.open(path);
        } catch (IOException | UnsupportedOperationException none) {
            notices.accept(path + " can't be read (" + none.getClass().getSimpleName() + "): " + missing);
        }
        this.file = opened;
    }

    /** Reads it; an empty text if that can't be done. */
    void read(KernelText text) {
        text.begin(0);
        if (file == null) {
            return;
        }
        try {
            file.read(text);
            isFailing = false;
        } catch (IOException failed) {
            text.begin(0);
            if (!isFailing) {
                notices.accept(path + " can't be read any more (" + failed + "): its columns are empty meanwhile");
            }
            isFailing = true;
        }
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }

    /** Words as the kernel writes them. */
    static byte[][] words(String... words) {
        return Stream.of(words)
                .map(word -> word.getBytes(StandardCharsets.US_ASCII))
                .toArray(byte[][]::new);
    }
}
