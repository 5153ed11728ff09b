package dev.understudy.sidecar.command;

import dev.understudy.relay.config.TapConfig;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.split.ProxyRun;
import dev.understudy.relay.split.SplitProgram;
import dev.understudy.relay.split.TapListener;
import dev.understudy.sidecar.LaneProcess;
import dev.understudy.sidecar.Listeners;
import dev.understudy.sidecar.config.SidecarConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A sidecar in two processes, of which the child is {@code understudy lanes}.
 *
 * @param settings with which the lane process reads the same settings
 */
record SplitSidecar(SidecarConfig config, List<String> settings) implements SplitProgram {
    @Override
    public String childName() {
        return LaneProcess.NAME;
    }

    @Override
    public TapConfig tap() {
        return config.tap();
    }

    @Override
    public Duration drain() {
        return config.drain();
    }

    @Override
    public List<TapListener> listeners() {
        return Listeners.all(config);
    }

    @Override
    public EventLoops loops() throws IOException {
        return EventLoops.open(config.transport());
    }

    @Override
    public Map<String, InetSocketAddress> ports() {
        return Map.of("control port", config.control().listen());
    }

    @Override
    public Class<?> main() {
        return Main.class;
    }

    /** For throughput: its collections stop nobody else. */
    @Override
    public String collector() {
        return "-XX:+UseParallelGC";
    }

    /** The control port stays where it was, also where the settings let the system choose it. */
    @Override
    public List<String> arguments(String before) {
        List<String> arguments = new ArrayList<>(List.of("lanes"));
        arguments.addAll(settings);
        if (!before.isEmpty()) {
            arguments.addAll(List.of("--set", "control.listen=" + address(before)));
        }
        return arguments;
    }

    private static String address(String said) {
        return said.replaceFirst("^control=", "");
    }

    @Override
    public String ready(Map<String, InetSocketAddress> listeners, String said) {
        if (!said.isEmpty()) {
            return places(listeners, address(said));
        }
        InetSocketAddress chosen = config.control().listen();
        return places(listeners, chosen.getPort() == 0 ? ProxyRun.NOT_READY : Address.spell(chosen));
    }

    /** Where it serves, in one process or in two. */
    static String places(Map<String, InetSocketAddress> listeners, String control) {
        return listeners.entrySet().stream()
                .map(listener -> listener.getKey() + "=" + Address.spell(listener.getValue()))
                .collect(Collectors.joining(" ", "", " control=" + control));
    }
}
