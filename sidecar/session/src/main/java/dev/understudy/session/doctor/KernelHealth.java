package dev.understudy.session.doctor;

import dev.understudy.session.target.proc.TcpSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What the kernel says of ports, clocks and limits; read from its files. */
final class KernelHealth {
    private static final Instant EARLIEST = Instant.parse("2026-01-01T00:00:00Z");
    private static final Set<String> FAST_CLOCKS =
            Set.of("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter");
    private static final long LEAST_MEMORY = 256L << 20;
    private static final int MOST_SOCKETS = 100_000;

    private KernelHealth() {}

    static HealthFinding ports(String name, Path proc, List<Integer> wanted) throws IOException {
        Set<Integer> taken = new TreeSet<>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            Path file = proc.resolve(table);
            if (Files.isReadable(file)) {
                try (Stream<String> lines = Files.lines(file)) {
                    lines.limit(MOST_SOCKETS)
                            .forEach(line -> TcpSocket.parse(line)
                                    .filter(socket -> socket.state() == TcpSocket.State.LISTENING)
                                    .ifPresent(
                                            socket -> taken.add(socket.local().getPort())));
                }
            }
        }
        taken.retainAll(wanted);
        return taken.isEmpty()
                ? HealthFinding.ok(name, wanted + " are free")
                : HealthFinding.warn(
                        name,
                        taken + " have a listener",
                        "it may be ours: understudy status; otherwise choose another by listen or control.listen");
    }

    static HealthFinding clock(String name, Path sys, Instant now) throws IOException {
        if (now.isBefore(EARLIEST)) {
            return HealthFinding.warn(
                    name, "it is " + now, "set the time: tokens, certificates and resyncs depend on it");
        }
        Path file = sys.resolve("devices/system/clocksource/clocksource0/current_clocksource");
        String source = Files.isReadable(file) ? Files.readString(file).strip() : "unknown";
        return source.equals("unknown") || FAST_CLOCKS.contains(source)
                ? HealthFinding.ok(name, "source " + source)
                : HealthFinding.warn(
                        name,
                        "source " + source + " is slow",
                        "each look at it costs a system call: use tsc if stable");
    }

    /** Memory limit and processors that this process may use. */
    static HealthFinding cgroup(String name, Path sys) throws IOException {
        boolean isUnified = Files.exists(sys.resolve("fs/cgroup/cgroup.controllers"));
        List<String> facts = new ArrayList<>(List.of(isUnified ? "version 2" : "version 1, or none"));
        facts.add(Runtime.getRuntime().availableProcessors() + " processors");
        Path file = sys.resolve(isUnified ? "fs/cgroup/memory.max" : "fs/cgroup/memory/memory.limit_in_bytes");
        String limit = Files.isReadable(file) ? Files.readString(file).strip() : "max";
        if (limit.matches("\\d{1,18}") && Long.parseLong(limit) < LEAST_MEMORY) {
            return HealthFinding.warn(
                    name,
                    "a memory limit of " + (Long.parseLong(limit) >> 20) + " MiB",
                    "give the container " + (LEAST_MEMORY >> 20) + " MiB or more, and set window.memory below it");
        }
        facts.add(limit.matches("\\d{1,12}") ? "memory " + (Long.parseLong(limit) >> 20) + " MiB" : "no memory limit");
        return HealthFinding.ok(name, String.join(", ", facts));
    }
}
