package dev.understudy.aggregator.command;

import dev.understudy.aggregator.config.AggregatorConfig;
import dev.understudy.aggregator.config.UpstreamConfig;
import dev.understudy.aggregator.production.InlineListeners;
import dev.understudy.aggregator.production.RingListeners;
import dev.understudy.relay.config.TapConfig;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.loop.EventLoops;
import dev.understudy.relay.split.ProxyRun;
import dev.understudy.relay.split.SplitProgram;
import dev.understudy.relay.split.TapListener;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An aggregator in two processes: one relays production to its upstreams, and its child, the recorder process, records
 * and answers the debug JVM.
 *
 * @param settings with which the recorder process reads the same settings
 */
record SplitAggregator(AggregatorConfig config, List<String> settings) implements SplitProgram {
    private static final Pattern DEBUG = Pattern.compile(" debug=(\\S+),");
    private static final Pattern CONTROL = Pattern.compile(" control=(\\S+)");

    @Override
    public String childName() {
        return RingListeners.CHILD;
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
        return InlineListeners.all(config);
    }

    @Override
    public EventLoops loops() {
        return EventLoops.open();
    }

    @Override
    public Map<String, InetSocketAddress> ports() {
        Map<String, InetSocketAddress> ports = new LinkedHashMap<>();
        ports.put("control port", config.control().listen());
        config.upstreams().forEach(upstream -> ports.put(upstream.name() + ", debug.listen", upstream.debugListen()));
        return ports;
    }

    @Override
    public Class<?> main() {
        return RecorderCommand.class;
    }

    /** For short pauses: the journal is large and lives long, and rings aren't read meanwhile. */
    @Override
    public String collector() {
        return "-XX:+UseG1GC";
    }

    /** Ports stay where they were, also where the settings let the system choose them. */
    @Override
    public List<String> arguments(String before) {
        List<String> arguments = new ArrayList<>(settings);
        Matcher debug = DEBUG.matcher(before);
        for (int number = 0; number < config.upstreams().size() && debug.find(); number++) {
            arguments.addAll(List.of("--set", "upstreams[" + number + "].debug.listen=" + debug.group(1)));
        }
        Matcher control = CONTROL.matcher(before);
        if (control.find()) {
            arguments.addAll(List.of("--set", "control.listen=" + control.group(1)));
        }
        return arguments;
    }

    @Override
    public String ready(Map<String, InetSocketAddress> listeners, String said) {
        if (!said.isEmpty()) {
            return said;
        }
        StringBuilder line = new StringBuilder();
        for (UpstreamConfig upstream : config.upstreams()) {
            InetSocketAddress production = listeners.get(upstream.name());
            line.append(upstream.name())
                    .append(" production=")
                    .append(production == null ? "none" : Address.spell(production))
                    .append(" debug=")
                    .append(chosen(upstream.debugListen()))
                    .append(", ");
        }
        return line.append("control=").append(chosen(config.control().listen())).toString();
    }

    private static String chosen(InetSocketAddress address) {
        return address.getPort() == 0 ? ProxyRun.NOT_READY : Address.spell(address);
    }
}
