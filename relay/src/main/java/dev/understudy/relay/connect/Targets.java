package dev.understudy.relay.connect;

import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/** All addresses of one listener's production, in order of preference. Thread-safe. */
public final class Targets {
    /** No address at all. */
    static final Targets NONE = new Targets(
            ProductionConfig.wherever(),
            host -> CompletableFuture.failedFuture(new UnknownHostException(host)),
            System::nanoTime);

    private final List<TargetPlace> places;
    private final long dnsTtlNanos;
    private final LongSupplier nanoClock;

    /** Looks up nothing yet. */
    public Targets(ProductionConfig config, Names names, LongSupplier nanoClock) {
        this.places = config.addresses().stream()
                .map(address -> new TargetPlace(address, config.health(), names))
                .toList();
        this.dnsTtlNanos = config.dnsTtl().toNanos();
        this.nanoClock = nanoClock;
    }

    /** Those that are up in order of preference, then the others; empty while no name has been looked up. */
    List<Target> order() {
        List<Target> order = new ArrayList<>();
        List<Target> down = new ArrayList<>();
        for (TargetPlace place : places) {
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
                .filter(TargetPlace::named)
                .map(place -> place.lookUp(now))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** Looks those names up whose answer is as old as it may be. */
    void refresh() {
        long now = nanoClock.getAsLong();
        for (TargetPlace place : places) {
            if (place.olderThan(dnsTtlNanos, now)) {
                place.lookUp(now);
            }
        }
    }

    /** Every address at this moment, in order of preference. */
    public List<TargetStatus> status() {
        List<TargetStatus> all = new ArrayList<>();
        for (TargetPlace place : places) {
            List<Target> targets = place.targets();
            if (targets.isEmpty()) {
                all.add(new TargetStatus(place.address().spelled(), "", false, 0, 0));
            }
            targets.forEach(target -> all.add(target.status()));
        }
        return all;
    }
}
