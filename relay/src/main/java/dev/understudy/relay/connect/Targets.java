package dev.understudy.relay.connect;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** All addresses of one listener's production, in order of preference. Thread-safe. */
public final class Targets {
    /** No address at all. */
    static final Targets NONE = new Targets(
            ProductionConfig.wherever(),
            host -> CompletableFuture.failedFuture(new UnknownHostException(host)),
            System::nanoTime);

    private final List<Place> places;
    private final long dnsTtlNanos;
    private final LongSupplier nanoClock;

    /** Looks up nothing yet. */
    public Targets(ProductionConfig config, Names names, LongSupplier nanoClock) {
        this.places = config.addresses().stream()
                .map(address -> new Place(address, config.health(), names))
                .toList();
        this.dnsTtlNanos = config.dnsTtl().toNanos();
        this.nanoClock = nanoClock;
    }

    /** Those that are up in order of preference, then the others; empty while no name has been looked up. */
    List<Target> order() {
        List<Target> order = new ArrayList<>();
        List<Target> down = new ArrayList<>();
        for (Place place : places) {
            for (Target target : place.targets()) {
                (target.up() ? order : down).add(target);
            }
        }
        order.addAll(down);
        return order;
    }

    /** Looks all names up, unless that was just done; ends when each was answered or failed. */
    CompletableFuture<Void> lookUp() {
        long now = nanoClock.getAsLong();
        return CompletableFuture.allOf(places.stream()
                .filter(Place::named)
                .map(place -> place.lookUp(now))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Looks those names up whose answer is as old as it may be. */
    void refresh() {
        long now = nanoClock.getAsLong();
        for (Place place : places) {
            if (place.olderThan(dnsTtlNanos, now)) {
                place.lookUp(now);
            }
        }
    }

    /** Every address at this moment, in order of preference. */
    public List<TargetStatus> status() {
        List<TargetStatus> all = new ArrayList<>();
        for (Place place : places) {
            List<Target> targets = place.targets();
            if (targets.isEmpty()) {
                all.add(new TargetStatus(place.address().spelled(), "", false, 0, 0));
            }
            targets.forEach(target -> all.add(target.status()));
        }
        return all;
    }

    /** Registers {@code understudy.relay.production.*}, one of each per address as it was set. */
    public void register(MeterRegistry registry, Tags listener) {
        for (Place place : places) {
            Tags tags = listener.and("address", place.address().spelled());
            Gauge.builder(
                            "understudy.relay.production.up",
                            place,
                            p -> p.targets().stream().filter(Target::up).count())
                    .tags(tags)
                    .register(registry);
            count(registry, tags.and("result", "accepted"), place, TargetStatus::accepted);
            count(registry, tags.and("result", "failed"), place, TargetStatus::failed);
        }
    }

    private static void count(MeterRegistry registry, Tags tags, Place place, ToLongFunction<TargetStatus> count) {
        FunctionCounter.builder(
                        "understudy.relay.production.connects",
                        place,
                        p -> p.targets().stream()
                                .map(Target::status)
                                .mapToLong(count)
                                .sum())
                .tags(tags)
                .register(registry);
    }
}
