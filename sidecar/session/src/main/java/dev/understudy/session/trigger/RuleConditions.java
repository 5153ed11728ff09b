package dev.understudy.session.trigger;

import dev.understudy.session.trigger.RuleCondition.BodyText;
import dev.understudy.session.trigger.RuleCondition.ErrorShare;
import dev.understudy.session.trigger.RuleCondition.LatencyLimit;
import dev.understudy.session.trigger.RuleCondition.LogRate;
import dev.understudy.session.trigger.RuleCondition.NewDivergence;
import dev.understudy.session.trigger.RuleCondition.Schedule;
import dev.understudy.session.trigger.RuleCondition.StatusCount;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether rules' conditions hold: on traffic, on logs, on divergences, on the clock. Alerts come by themselves.
 * Confined to one thread.
 */
public final class RuleConditions implements AutoCloseable {
    private static final int SERVER_ERROR = 500;

    private final RuleBook book;
    private final List<TriggerRule> rules;
    private final Clock clock;
    private final TrafficWindow traffic;
    private final TapTail tail;
    private final Map<TriggerRule, LogTail> logs = new HashMap<>();
    private final Map<TriggerRule, DivergenceKinds> kinds = new HashMap<>();
    private final Map<TriggerRule, Instant> due = new HashMap<>();
    private long since;

    /**
     * Begins to follow logs and divergences, and counts schedules from now on.
     *
     * @param now of {@link System#nanoTime()}: traffic from before isn't looked at
     */
    public RuleConditions(RuleBook book, Clock clock, long now) {
        this.book = book;
        this.rules = book.rules();
        this.clock = clock;
        this.since = now;
        this.traffic = new TrafficWindow(
                rules.stream().mapToLong(rule -> rule.within().toNanos()).max().orElse(0));
        this.tail = new TapTail(
                rules.stream()
                        .map(rule -> rule.condition() instanceof BodyText wanted ? wanted.text() : "")
                        .toList(),
                traffic::add);
        for (TriggerRule rule : rules) {
            if (rule.condition() instanceof LogRate log) {
                logs.put(rule, new LogTail(log.file(), log.text(), log.least()));
            } else if (rule.condition() instanceof NewDivergence wanted) {
                kinds.put(rule, DivergenceKinds.follow(wanted));
            } else if (rule.condition() instanceof Schedule schedule) {
                due.put(rule, next(schedule, clock.instant()));
            }
        }
    }

    /**
     * Looks once; what holds fires.
     *
     * @param recordings files of the tap, the oldest first
     * @param now of {@link System#nanoTime()}
     */
    public void look(List<Path> recordings, long now) {
        tail.read(recordings);
        for (int n = 0; n < rules.size(); n++) {
            TriggerRule rule = rules.get(n);
            String why = why(n, rule, now);
            if (why != null) {
                book.fire(rule, why);
            }
        }
    }

    /** What was seen up to now doesn't count any more: a copy has been made of it. */
    public void forget(long now) {
        since = now;
        logs.values().forEach(LogTail::forget);
        kinds.values().forEach(DivergenceKinds::look);
    }

    /** What holds, in words; null if nothing does. */
    private @Nullable String why(int number, TriggerRule rule, long now) {
        LogTail followed = logs.get(rule);
        if (followed != null && rule.condition() instanceof LogRate log) {
            return followed.look(rule.within().toNanos(), now)
                    ? log.least() + " lines of " + log.file().getFileName() + " with the text"
                    : null;
        }
        DivergenceKinds divergences = kinds.get(rule);
        if (divergences != null) {
            book.problem(rule, divergences.problem());
            List<String> fresh = divergences.look();
            return fresh.isEmpty() ? null : "a new kind of divergence: " + fresh.get(fresh.size() - 1);
        }
        if (rule.condition() instanceof Schedule schedule) {
            Instant time = clock.instant();
            if (time.isBefore(due.get(rule))) {
                return null;
            }
            due.put(rule, next(schedule, time));
            return "it is time";
        }
        if (rule.condition() instanceof RuleCondition.AlertName) {
            return null;
        }
        List<TapExchange> seen = traffic.within(Math.min(rule.within().toNanos(), now - since), now);
        return ofTraffic(number, rule.condition(), seen);
    }

    private static @Nullable String ofTraffic(int number, RuleCondition condition, List<TapExchange> seen) {
        if (condition instanceof ErrorShare wanted && seen.size() >= wanted.least()) {
            long failed =
                    seen.stream().filter(each -> each.status() >= SERVER_ERROR).count();
            return failed >= wanted.share() * seen.size()
                    ? failed + " of " + seen.size() + " replies have a status from 500 on"
                    : null;
        }
        if (condition instanceof LatencyLimit wanted && seen.size() >= wanted.least()) {
            long[] sorted =
                    seen.stream().mapToLong(TapExchange::latencyNanos).sorted().toArray();
            int place = (int) Math.ceil(wanted.percentile() / 100 * sorted.length) - 1;
            Duration found = Duration.ofNanos(sorted[Math.max(0, place)]);
            return found.compareTo(wanted.above()) > 0
                    ? String.format(Locale.ROOT, "p%s of latency is %d ms", wanted.percentile(), found.toMillis())
                    : null;
        }
        if (condition instanceof StatusCount wanted) {
            long found = seen.stream()
                    .filter(each -> each.status() == wanted.status())
                    .count();
            return found >= wanted.least() ? found + " replies have the status " + wanted.status() : null;
        }
        if (condition instanceof BodyText wanted) {
            long found = seen.stream()
                    .filter(each -> (each.texts() >> number & 1) == 1)
                    .count();
            return found >= wanted.least() ? found + " replies have the text" : null;
        }
        return null;
    }

    private Instant next(Schedule schedule, Instant after) {
        Duration every = schedule.every();
        if (every != null) {
            return after.plus(every);
        }
        LocalTime at = schedule.at() == null ? LocalTime.MIDNIGHT : schedule.at();
        ZonedDateTime here = after.atZone(clock.getZone());
        ZonedDateTime today = here.with(at);
        return (today.isAfter(here) ? today : today.plusDays(1)).toInstant();
    }

    @Override
    public void close() {
        logs.values().forEach(LogTail::close);
        kinds.values().forEach(DivergenceKinds::close);
    }
}
