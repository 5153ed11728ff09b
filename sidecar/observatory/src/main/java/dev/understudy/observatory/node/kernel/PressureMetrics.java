package dev.understudy.observatory.node.kernel;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Shares of time in which some task, or every task, waited for a processor, a disk or memory: {@code /proc/pressure}
 * (Linux's {@code Documentation/accounting/psi.rst}, from Linux 4.20 on).
 */
public final class PressureMetrics implements HostMetrics {
    private static final List<String> KINDS = List.of("cpu", "io", "memory");
    private static final byte[][] LEVELS = KernelSource.words("some", "full");
    private static final byte[] TOTAL = "total=".getBytes(StandardCharsets.US_ASCII);

    private final KernelText text = new KernelText();
    private final List<KernelSource> files = new ArrayList<>();
    private final Counters counters = new Counters(KINDS.size() * LEVELS.length);

    /**
     * Opens the files.
     *
     * @param proc where the kernel's files are, {@code /proc}
     */
    public PressureMetrics(Path proc, Consumer<String> notices) {
        Path folder = proc.resolve("pressure");
        if (!Files.isDirectory(folder)) {
            notices.accept(folder + " isn't there: pressure.* is unknown; it needs Linux 4.20 with CONFIG_PSI, and the "
                    + "kernel's parameter psi=1 where that is off");
            return;
        }
        for (String kind : KINDS) {
            files.add(new KernelSource(folder.resolve(kind), "pressure." + kind + " is unknown", notices));
        }
    }

    @Override
    public List<String> metrics() {
        return List.of(
                "pressure.cpu.some",
                "pressure.cpu.full",
                "pressure.io.some",
                "pressure.io.full",
                "pressure.memory.some",
                "pressure.memory.full");
    }

    @Override
    public void sample(double seconds, double[] row, int at) {
        counters.next();
        for (int kind = 0; kind < files.size(); kind++) {
            files.get(kind).read(text);
            while (text.nextLine()) {
                int level = text.wordIn(LEVELS);
                if (level >= 0 && skipToTotal()) {
                    counters.set(kind * LEVELS.length + level, text.number());
                }
            }
        }
        for (int i = 0; i < KINDS.size() * LEVELS.length; i++) {
            row[at + i] = Math.min(1, counters.rise(i) / (1_000_000 * seconds));
        }
    }

    private boolean skipToTotal() {
        while (text.hasWord()) {
            if (text.skip(TOTAL)) {
                return true;
            }
            text.skipWord();
        }
        return false;
    }

    @Override
    public void close() {
        files.forEach(KernelSource::close);
    }
}
