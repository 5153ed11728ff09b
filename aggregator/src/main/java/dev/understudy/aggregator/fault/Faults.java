package dev.understudy.aggregator.fault;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules in force, and what they decide for each request. What time a rule has is looked up when a request comes, so
 * that a schedule needs no timer.
 *
 * <p>Safe for all threads: deciding reads one volatile field, setting is guarded by {@code this}.
 */
public final class Faults {
    /** Rules at a time. */
    public static final int MOST = 256;

    private final LongSupplier clock;
    private volatile Map<String, List<Armed>> byUpstream = Map.of();
    private volatile List<Armed> all = List.of();

    /** @param clock nanoseconds, such as {@link System#nanoTime} */
    public Faults(LongSupplier clock) {
        this.clock = clock;
    }

    /**
     * Puts these rules in the place of all that are set; their time begins now.
     *
     * @throws IllegalArgumentException if two have one name, or there are too many
     */
    public synchronized void replace(List<FaultRule> rules) {
        long now = clock.getAsLong();
        arm(rules.stream().map(rule -> new Armed(rule, now)).toList());
    }

    /** Adds a rule, or puts it in the place of that with its name; its time begins now. */
    public synchronized void set(FaultRule rule) {
        List<Armed> kept = new ArrayList<>(all);
        kept.removeIf(armed -> armed.rule.name().equals(rule.name()));
        kept.add(new Armed(rule, clock.getAsLong()));
        arm(kept);
    }

    /** Removes the rule of this name; false if there is none. */
    public synchronized boolean clear(String name) {
        List<Armed> kept = new ArrayList<>(all);
        boolean cleared = kept.removeIf(armed -> armed.rule.name().equals(name));
        arm(kept);
        return cleared;
    }

    /** All rules that are set, also those whose time hasn't come or is over. */
    public List<Standing> standing() {
        long now = clock.getAsLong();
        return all.stream().map(armed -> armed.standing(now)).toList();
    }

    /** Whether a request of this upstream needs to be decided at all. */
    public boolean concern(String upstream) {
        return byUpstream.containsKey(upstream);
    }

    /**
     * Decides for one request, and counts what it suffers. All delays and limits that hit it count together; of what
     * ends it, the first.
     *
     * @param form its canonical form's text
     */
    public Injection decide(String upstream, String form) {
        List<Armed> rules = byUpstream.get(upstream);
        if (rules == null) {
            return Injection.NONE;
        }
        long now = clock.getAsLong();
        Injection decided = Injection.NONE;
        for (Armed armed : rules) {
            boolean over = decided.end() != null && armed.rule.fault().kind().ends();
            if (!over && armed.holds(now) && armed.rule.concerns(form)) {
                decided = armed.hit(decided);
            }
        }
        return decided;
    }

    private void arm(List<Armed> rules) {
        if (rules.size() > MOST) {
            throw new IllegalArgumentException("faults: " + rules.size() + " (expected: at most " + MOST + ")");
        }
        Set<String> names = new HashSet<>();
        Map<String, List<Armed>> sorted = new HashMap<>();
        for (Armed armed : rules) {
            if (!names.add(armed.rule.name())) {
                throw new IllegalArgumentException("name: " + armed.rule.name() + " (expected: a name of its own)");
            }
            sorted.computeIfAbsent(armed.rule.upstream(), first -> new ArrayList<>())
                    .add(armed);
        }
        all = List.copyOf(rules);
        byUpstream = Map.copyOf(sorted);
    }

    /** Where a rule stands in its time. */
    public enum Phase {
        WAITING,
        ACTIVE,
        OVER
    }

    /**
     * A rule and what it has done.
     *
     * @param matched requests that it concerned while it held
     * @param applied of those, how many it hit
     */
    public record Standing(FaultRule rule, Phase phase, long matched, long applied) {}

    /** A rule from the moment it was set. */
    private static final class Armed {
        private final FaultRule rule;
        private final long since;
        private final AtomicLong matched = new AtomicLong();
        private final AtomicLong applied = new AtomicLong();

        Armed(FaultRule rule, long since) {
            this.rule = rule;
            this.since = since;
        }

        boolean holds(long now) {
            return phase(now) == Phase.ACTIVE;
        }

        Standing standing(long now) {
            return new Standing(rule, phase(now), matched.get(), applied.get());
        }

        Injection hit(Injection before) {
            Dice dice = new Dice(rule.seed(), matched.getAndIncrement());
            if (dice.next() * 100 >= rule.percent()) {
                return before;
            }
            applied.incrementAndGet();
            List<FaultRule> rules = new ArrayList<>(before.rules());
            rules.add(rule);
            Fault fault = rule.fault();
            long delay = before.delayNanos();
            long rate = before.bytesPerSecond();
            long close = before.closeNanos();
            @Nullable Fault end = before.end();
            if (fault instanceof Fault.Latency latency) {
                long swing = Math.round((2 * dice.next() - 1) * latency.jitter().toNanos());
                delay += Math.max(0, latency.delay().toNanos() + swing);
            } else if (fault instanceof Fault.Bandwidth bandwidth) {
                rate = rate == 0 ? bandwidth.bytesPerSecond() : Math.min(rate, bandwidth.bytesPerSecond());
            } else if (fault instanceof Fault.SlowClose slow) {
                close = Math.max(close, slow.delay().toNanos());
            } else {
                end = fault;
            }
            return new Injection(List.copyOf(rules), delay, rate, close, end);
        }

        private Phase phase(long now) {
            long age = now - since - rule.at().toNanos();
            if (age < 0) {
                return Phase.WAITING;
            }
            return rule.lasts() == null || age < rule.lasts().toNanos() ? Phase.ACTIVE : Phase.OVER;
        }
    }
}
