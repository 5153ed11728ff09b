package dev.understudy.observatory.node.kernel;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Traffic, losses and full queues of this network namespace: {@code /proc/net/dev}, {@code snmp}, {@code netstat} and
 * {@code sockstat}.
 *
 * <p>Traffic is that of devices with hardware behind them; without any, as in a container, that of all devices but the
 * loopback's. The kernel adds up losses from all processors, which takes longer than all else together: they are read
 * every 100 ms at most, and unknown in between.
 */
public final class NetworkMetrics implements HostMetrics {
    private static final byte[] LOOPBACK = "lo:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[][] TCP = KernelSource.words("Tcp:");
    private static final byte[][] TCP_EXTENSION = KernelSource.words("TcpExt:");
    private static final byte[][] RETRANSMITS = KernelSource.words("RetransSegs");
    private static final byte[][] LISTENERS = KernelSource.words("ListenOverflows", "ListenDrops");
    private static final byte[] SOCKETS = "TCP:".getBytes(StandardCharsets.US_ASCII);
    private static final byte[][] BUFFERS = KernelSource.words("mem");

    private static final int RECEIVED = 0;
    private static final int SENT = 1;
    private static final int DROPS = 2;
    private static final int LOOPED = 3;
    private static final int RETRANSMITTED = 0;
    private static final int OVERFLOWS = 1;
    private static final int LISTEN_DROPS = 2;

    /** Seconds between two readings of losses, less what a tick may be early by. */
    private static final double LOSSES_EVERY = 0.095;

    /** Fields of a device's line; 8 of what was received, then 8 of what was sent. */
    private static final int FIELDS = 16;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,30}:");
    private static final int MOST_DEVICES = 32;

    private final double page = PageSize.read(Path.of("/proc/self/auxv"));
    private final KernelText text = new KernelText();
    private final Counters traffic = new Counters(LOOPED + 1);
    private final Counters losses = new Counters(LISTEN_DROPS + 1);
    private final long[] fields = new long[FIELDS];
    private final byte[][] hardware;
    private double sinceLosses = LOSSES_EVERY;
    private final KernelSource devices;
    private final KernelSource tcp;
    private final KernelSource extension;
    private final KernelSource sockets;

    /**
     * Opens the files.
     *
     * @param proc where the kernel's files are, {@code /proc}
     * @param classes where devices are described, {@code /sys/class/net}
     */
    public NetworkMetrics(Path proc, Path classes, Consumer<String> notices) {
        Path net = proc.resolve("net");
        devices = new KernelSource(net.resolve("dev"), "network.receive and network.send are unknown", notices);
        tcp = new KernelSource(net.resolve("snmp"), "network.retransmits is unknown", notices);
        extension = new KernelSource(net.resolve("netstat"), "network.listen.* is unknown", notices);
        sockets = new KernelSource(net.resolve("sockstat"), "network.buffers is unknown", notices);
        hardware = findHardware(classes);
    }

    /** Names of devices with hardware behind them, each with its colon. */
    private byte[][] findHardware(Path classes) {
        List<String> found = new ArrayList<>();
        devices.read(text);
        while (text.nextLine() && found.size() < MOST_DEVICES) {
            String name = text.word();
            int colon = name.indexOf(':');
            if (NAME.matcher(name).lookingAt()
                    && Files.exists(classes.resolve(name.substring(0, colon)).resolve("device"))) {
                found.add(name.substring(0, colon + 1));
            }
        }
        return KernelSource.words(found.toArray(String[]::new));
    }

    @Override
    public List<String> metrics() {
        return List.of(
                "network.receive",
                "network.send",
                "network.drops",
                "network.loopback",
                "network.retransmits",
                "network.listen.overflows",
                "network.listen.drops",
                "network.buffers");
    }

    @Override
    public void sample(double seconds, double[] row, int at) {
        traffic.next();
        readDevices();
        for (int i = RECEIVED; i <= LOOPED; i++) {
            row[at + i] = traffic.rise(i) / seconds;
        }
        Arrays.fill(row, at + 4, at + 8, Double.NaN);
        sinceLosses += seconds;
        if (sinceLosses >= LOSSES_EVERY) {
            sampleLosses(row, at + 4);
            sinceLosses = 0;
        }
    }

    private void sampleLosses(double[] row, int at) {
        losses.next();
        readTable(tcp, TCP, RETRANSMITS, RETRANSMITTED);
        readTable(extension, TCP_EXTENSION, LISTENERS, OVERFLOWS);
        for (int i = RETRANSMITTED; i <= LISTEN_DROPS; i++) {
            row[at + i] = losses.rise(i) / sinceLosses;
        }
        long pages = readBuffers();
        row[at + 3] = pages < 0 ? Double.NaN : pages * page;
    }

    private void readDevices() {
        devices.read(text);
        while (text.nextLine()) {
            text.skipBlanks();
            if (text.skip(LOOPBACK)) {
                traffic.add(LOOPED, text.number());
            } else if (skipCounted()) {
                for (int i = 0; i < FIELDS; i++) {
                    fields[i] = text.number();
                }
                traffic.add(RECEIVED, fields[0]);
                traffic.add(SENT, fields[8]);
                traffic.add(DROPS, fields[3]);
                traffic.add(DROPS, fields[11]);
            }
        }
    }

    /** Behind the name of a device whose traffic counts. */
    private boolean skipCounted() {
        for (byte[] name : hardware) {
            if (text.skip(name)) {
                return true;
            }
        }
        return hardware.length == 0 && text.skipPast(':');
    }

    /** A line of names, and below it one of values, both of which begin with the same word. */
    private void readTable(KernelSource source, byte[][] title, byte[][] wanted, int firstCounter) {
        source.read(text);
        while (text.nextLine()) {
            if (text.wordIn(title) < 0) {
                continue;
            }
            KernelText names = text.line();
            if (!text.nextLine() || text.wordIn(title) < 0) {
                return;
            }
            while (names.hasWord()) {
                int found = names.wordIn(wanted);
                long value = text.number();
                if (found >= 0) {
                    losses.set(firstCounter + found, value);
                }
            }
            return;
        }
    }

    private long readBuffers() {
        sockets.read(text);
        while (text.nextLine()) {
            if (text.skip(SOCKETS)) {
                while (text.hasWord()) {
                    if (text.wordIn(BUFFERS) >= 0) {
                        return text.number();
                    }
                }
            }
        }
        return KernelText.NONE;
    }

    @Override
    public void close() {
        devices.close();
        tcp.close();
        extension.close();
        sockets.close();
    }
}
