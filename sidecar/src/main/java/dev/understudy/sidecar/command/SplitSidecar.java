package dev.understudy.sidecar.command;

import dev.understudy.sidecar.config.SidecarConfig;
import dev.understudy.sidecar.control.StatusView;
import dev.understudy.sidecar.tap.LaneSupervisor;
import dev.understudy.sidecar.tap.TapProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A sidecar in two processes: this one relays, and the lane process, its child, does the rest. */
final class SplitSidecar implements SidecarRun {
    /** Stands for the control port's address while nobody knows it. */
    static final String NOT_READY = "not-ready-yet";

    /** How long the lane process may take to be ready before the sidecar says that it is, without it. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Programs that let another one have no more of the processors than is left over. */
    private static final List<String> NICE = List.of("/usr/bin/nice", "/bin/nice");

    private final SidecarConfig config;
    private final TapProcess tap;
    private final LaneSupervisor lanes;
    private volatile boolean stopping;

    private SplitSidecar(SidecarConfig config, TapProcess tap, LaneSupervisor lanes) {
        this.config = config;
        this.tap = tap;
        this.lanes = lanes;
    }

    /**
     * Opens the listeners, which relay from then on, and starts the lane process.
     *
     * @param arguments what the lane process is given besides where the rings are
     * @param out where the lines of the lane process go
     * @throws IOException if an address, that of the control port, or the rings can't be had; the message says which
     */
    static SplitSidecar start(SidecarConfig config, List<String> arguments, PrintWriter out) throws IOException {
        requireFree(config.control().listen());
        TapProcess tap = TapProcess.start(config);
        LaneSupervisor lanes = LaneSupervisor.start(before -> lanes(config, tap, arguments, before), line -> {
            out.println(line);
            out.flush();
        });
        return new SplitSidecar(config, tap, lanes);
    }

    /** Before a client is let in that would be cut off again. */
    private static void requireFree(InetSocketAddress control) throws IOException {
        try (ServerSocket door = new ServerSocket()) {
            door.bind(new InetSocketAddress(control.getHostString(), control.getPort()));
        } catch (IOException taken) {
            throw new IOException("control port " + StatusView.spell(control) + ": " + taken.getMessage(), taken);
        }
    }

    /**
     * A lane process that follows another one has the same control port, also where the settings let the system choose
     * it.
     */
    private static ProcessBuilder lanes(SidecarConfig config, TapProcess tap, List<String> arguments, String before) {
        List<String> command = new ArrayList<>();
        NICE.stream()
                .filter(nice -> Files.isExecutable(Path.of(nice)))
                .findFirst()
                .ifPresent(nice -> command.addAll(
                        List.of(nice, "-n", Integer.toString(config.tap().laneNice()))));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(LaneJvm.options(config.tap().laneOptions(), System.getenv()));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), "lanes"));
        command.addAll(arguments);
        command.addAll(List.of("--tap", tap.directory().toString()));
        if (!before.isEmpty()) {
            command.addAll(List.of("--set", "control.listen=" + address(before)));
        }
        ProcessBuilder lanes = new ProcessBuilder(command);
        LaneJvm.separate(lanes.environment());
        return lanes;
    }

    private static String address(String ready) {
        return ready.replaceFirst("^control=", "");
    }

    @Override
    public Map<String, InetSocketAddress> addresses() {
        return tap.addresses();
    }

    @Override
    public String controlAddress() throws IOException, InterruptedException {
        String ready = lanes.awaitReady(PATIENCE);
        if (!ready.isEmpty()) {
            return address(ready);
        }
        InetSocketAddress chosen = config.control().listen();
        return stopping || chosen.getPort() == 0 ? NOT_READY : StatusView.spell(chosen);
    }

    @Override
    public void stopWaiting() {
        stopping = true;
        lanes.stopWaiting();
    }

    @Override
    public String health() {
        InetSocketAddress asked = tap.healthAddress();
        return asked == null ? "" : " health=" + StatusView.spell(asked);
    }

    /** The lane process says it itself. */
    @Override
    public Map<String, String> fidelity() {
        return Map.of();
    }

    @Override
    public void close() {
        try {
            tap.drain(config.drain());
            lanes.close(config.drain());
        } finally {
            tap.close();
        }
    }

    @Override
    public void hurry() {
        tap.hurry();
        lanes.hurry();
    }
}
