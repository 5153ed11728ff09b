package dev.understudy.relay;

import dev.understudy.relay.connect.TargetStatus;
import dev.understudy.relay.tap.CloseReason;
import dev.understudy.relay.tap.Direction;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Shows a listener's status as {@code understudy.relay.*}. */
public final class RelayMeters {
    private final MeterRegistry registry;
    private final RelayStatus status;

    private RelayMeters(MeterRegistry registry, RelayStatus status) {
        this.registry = registry;
        this.status = status;
    }

    /**
     * Registers all of it.
     *
     * @param production the addresses of production, as they stand in the settings
     */
    public static void register(MeterRegistry registry, String listener, RelayStatus status, List<String> production) {
        RelayMeters meters = new RelayMeters(registry, status);
        Tags tags = Tags.of("listener", listener);
        meters.count("connections", tags, RelayStatus::opened);
        meters.count("tap.failures", tags, RelayStatus::tapFailures);
        meters.count("accept.failures", tags, RelayStatus::acceptFailures);
        meters.gauge("connections.open", tags, RelayStatus::open);
        for (Direction direction : Direction.values()) {
            meters.count("bytes", tags.and("direction", word(direction)), relayed -> relayed.bytes(direction));
        }
        for (CloseReason reason : CloseReason.values()) {
            meters.count("endings", tags.and("reason", word(reason)), relayed -> relayed.endings(reason));
        }
        for (String address : production) {
            meters.target(address, tags.and("address", address));
        }
    }

    private void target(String address, Tags tags) {
        gauge("production.up", tags, relayed -> sum(relayed, address, target -> target.up() ? 1 : 0));
        count(
                "production.connects",
                tags.and("result", "accepted"),
                relayed -> sum(relayed, address, TargetStatus::accepted));
        count(
                "production.connects",
                tags.and("result", "failed"),
                relayed -> sum(relayed, address, TargetStatus::failed));
    }

    private static double sum(RelayStatus relayed, String address, ToDoubleFunction<TargetStatus> figure) {
        return relayed.production().stream()
                .filter(target -> target.set().equals(address))
                .mapToDouble(figure)
                .sum();
    }

    private void count(String name, Tags tags, ToDoubleFunction<RelayStatus> figure) {
        FunctionCounter.builder("understudy.relay." + name, status, figure)
                .tags(tags)
                .register(registry);
    }

    private void gauge(String name, Tags tags, ToDoubleFunction<RelayStatus> figure) {
        Gauge.builder("understudy.relay." + name, status, figure).tags(tags).register(registry);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
