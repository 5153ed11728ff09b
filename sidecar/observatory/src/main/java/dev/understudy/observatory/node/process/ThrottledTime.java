package dev.understudy.observatory.node.process;

import dev.understudy.observatory.node.kernel.Counters;
import dev.understudy.observatory.node.kernel.KernelFile;
import dev.understudy.observatory.node.kernel.KernelText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How long a process's control group was kept from running by its quota: {@code cpu.stat} of version 2
 * ({@code throttled_usec}) and of version 1 ({@code throttled_time}, nanoseconds). The time counts once for each
 * processor. One thread.
 */
final class ThrottledTime implements AutoCloseable {
    private static final byte[][] NAMES = {
        "throttled_usec".getBytes(StandardCharsets.US_ASCII), "throttled_time".getBytes(StandardCharsets.US_ASCII)
    };

    private final @Nullable KernelFile file;
    private final KernelText text;
    private final Counters nanos = new Counters(1);

    private ThrottledTime(@Nullable KernelFile file, KernelText text) {
        this.file = file;
        this.text = text;
    }

    /** Opens the file of the group that a process is in now. */
    static ThrottledTime of(Path proc, Path process, KernelText text, Consumer<String> notices) {
        try {
            Path group = group(proc, process, text);
            if (group != null) {
                return new ThrottledTime(KernelFile.open(group.resolve("cpu.stat")), text);
            }
            notices.accept("no control group of processors is mounted: processor.throttled is unknown; mount cgroup2");
        } catch (IOException | RuntimeException hidden) {
            notices.accept("the control group of process " + process.getFileName() + " can't be read ("
                    + hidden.getClass().getSimpleName()
                    + "): processor.throttled is unknown; sample outside of the container, or as root");
        }
        return new ThrottledTime(null, text);
    }

    /** The folder of the group that has the processor's quota; null if none is mounted. */
    private static @Nullable Path group(Path proc, Path process, KernelText text) throws IOException {
        String v1 = null;
        String v2 = null;
        for (String line : lines(process.resolve("cgroup"), text)) {
            // number:controllers:path
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && parts[1].isEmpty()) {
                v2 = parts[2];
            } else if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains("cpu")) {
                v1 = parts[2];
            }
        }
        for (String line : lines(proc.resolve("self/mountinfo"), text)) {
            // … root mount-point options … - type source options
            String[] parts = line.split(" ", -1);
            int dash = List.of(parts).indexOf("-");
            if (dash < 5 || parts.length < dash + 4) {
                continue;
            }
            String type = parts[dash + 1];
            String path = type.equals("cgroup2") && v1 == null
                    ? v2
                    : type.equals("cgroup")
                                    && List.of(parts[dash + 3].split(",", -1)).contains("cpu")
                            ? v1
                            : null;
            if (path != null) {
                return Path.of(parts[4]).resolve(path.substring(Math.min(1, path.length())));
            }
        }
        return null;
    }

    private static List<String> lines(Path path, KernelText text) throws IOException {
        List<String> lines = new ArrayList<>();
        try (KernelFile file = KernelFile.open(path)) {
            file.read(text);
            while (text.nextLine()) {
                lines.add(text.rest());
            }
        }
        return lines;
    }

    /** The share of the time since the sample before; NaN if it isn't known, as in the group of all. */
    double sample(double seconds) {
        nanos.next();
        if (file == null) {
            return Double.NaN;
        }
        try {
            file.read(text);
        } catch (IOException removed) {
            return Double.NaN;
        }
        while (text.nextLine()) {
            int found = text.wordIn(NAMES);
            if (found >= 0) {
                long value = text.number();
                nanos.set(0, found == 0 && value > 0 ? Math.min(value, Long.MAX_VALUE / 1000) * 1000 : value);
            }
        }
        return nanos.rise(0) / 1e9 / seconds;
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }
}
