package dev.understudy.observatory.node.kernel;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Whole disks, from {@code /proc/diskstats} (Linux's {@code Documentation/admin-guide/iostats.rst}): those eight that
 * had the most operations since the machine's start.
 */
public final class DiskMetrics implements HostMetrics {
    /** How many disks have columns. */
    public static final int MOST = 8;

    private static final List<String> OF_EACH = List.of("busy", "queue", "read", "write", "reads", "writes");
    private static final Pattern NO_DISK = Pattern.compile("(loop|ram|zram|sr|fd)\\d+");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!_-]{1,40}");
    private static final int SECTOR = 512;

    /** The fields behind a disk's name that are read, all of a disk in one block of {@link #counters}. */
    private static final int FIELDS = 11;

    private final KernelText text = new KernelText();
    private final KernelSource file;
    private final List<String> names;
    private final byte[][] words;
    private final Counters counters;

    /**
     * Chooses the disks.
     *
     * @param proc where the kernel's files are, {@code /proc}
     * @param blocks where whole devices are, {@code /sys/block}
     */
    public DiskMetrics(Path proc, Path blocks, Consumer<String> notices) {
        file = new KernelSource(proc.resolve("diskstats"), "disk.* is unknown", notices);
        names = choose(blocks, notices);
        // the kernel's directories have ! for the / in a name
        words = KernelSource.words(
                names.stream().map(name -> name.replace('!', '/')).toArray(String[]::new));
        counters = new Counters(names.size() * FIELDS);
    }

    /** The disks of a machine now, the busiest so far first: those that would be chosen. */
    private List<String> choose(Path blocks, Consumer<String> notices) {
        Map<String, Long> operations = new TreeMap<>();
        file.read(text);
        while (text.nextLine()) {
            text.skipWords(2);
            String name = text.word().replace('/', '!');
            long reads = text.number();
            text.skipWords(3);
            long writes = text.number();
            operations.put(name, Math.max(0, reads) + Math.max(0, writes));
        }
        List<String> whole = new ArrayList<>();
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(blocks)) {
            for (Path device : devices) {
                String name = device.getFileName().toString();
                if (operations.containsKey(name)
                        && NAME.matcher(name).matches()
                        && !NO_DISK.matcher(name).matches()) {
                    whole.add(name);
                }
            }
        } catch (IOException | RuntimeException none) {
            notices.accept(blocks + " can't be listed (" + none.getClass().getSimpleName()
                    + "): disk.* is unknown; is /sys mounted?");
        }
        whole.sort(Comparator.comparingLong((String name) -> -operations.getOrDefault(name, 0L))
                .thenComparing(Comparator.naturalOrder()));
        if (whole.size() > MOST) {
            notices.accept("there are " + whole.size() + " disks: the " + MOST
                    + " that had the most operations so far are sampled");
        }
        return List.copyOf(whole.subList(0, Math.min(MOST, whole.size())));
    }

    @Override
    public List<String> metrics() {
        List<String> metrics = new ArrayList<>();
        for (String name : names) {
            OF_EACH.forEach(metric -> metrics.add("disk." + name.replace('!', '_') + "." + metric));
        }
        return List.copyOf(metrics);
    }

    @Override
    public void sample(double seconds, double[] row, int at) {
        counters.next();
        if (!names.isEmpty()) {
            file.read(text);
        }
        while (text.nextLine()) {
            text.skipWords(2);
            int disk = text.wordIn(words);
            for (int field = 0; disk >= 0 && field < FIELDS; field++) {
                counters.set(disk * FIELDS + field, text.number());
            }
        }
        for (int disk = 0; disk < names.size(); disk++) {
            int from = disk * FIELDS;
            int to = at + disk * OF_EACH.size();
            // milliseconds with an operation under way; the kernel's clock ticks may make it a little more than all
            row[to] = Math.min(1, counters.rise(from + 9) / (1000 * seconds));
            row[to + 1] = counters.rise(from + 10) / (1000 * seconds);
            row[to + 2] = counters.rise(from + 2) * SECTOR / seconds;
            row[to + 3] = counters.rise(from + 6) * SECTOR / seconds;
            row[to + 4] = counters.rise(from) / seconds;
            row[to + 5] = counters.rise(from + 4) / seconds;
        }
    }

    @Override
    public void close() {
        file.close();
    }
}
