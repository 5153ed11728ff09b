package dev.understudy.session.trigger;

import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which rules have fired, and whether they may: one copy at a time, with cool-down and cap. Guarded by {@code this}.
 */
public final class RuleBook {
    private final Clock clock;
    private final List<RuleState> states = new ArrayList<>();
    private @Nullable Firing waiting;
    private boolean isBusy;

    /** One in which no rule has fired. */
    public RuleBook(List<TriggerRule> rules, Clock clock) {
        this.clock = clock;
        rules.forEach(rule -> states.add(new RuleState(rule)));
    }

    /**
     * A rule that fired, and whose copy isn't made yet.
     *
     * @param why what was seen, in words
     */
    public record Firing(TriggerRule rule, String why, Instant at) {}

    private static final class RuleState {
        private final TriggerRule rule;
        private @Nullable Instant last;
        private @Nullable LocalDate day;
        private int today;
        private long fired;
        private long suppressed;
        private String why = "";
        private String problem = "";

        RuleState(TriggerRule rule) {
            this.rule = rule;
        }
    }

    /**
     * The condition of a rule holds.
     *
     * @return what stands in the way; "" if it has fired
     */
    public synchronized String fire(TriggerRule rule, String why) {
        RuleState state = state(rule);
        Instant now = clock.instant();
        String obstacle = obstacle(state, now);
        if (!obstacle.isEmpty()) {
            state.suppressed++;
            return obstacle;
        }
        LocalDate day = LocalDate.ofInstant(now, ZoneOffset.UTC);
        state.today = day.equals(state.day) ? state.today + 1 : 1;
        state.day = day;
        state.last = now;
        state.why = why;
        state.fired++;
        waiting = new Firing(rule, why, now);
        return "";
    }

    /** Why a rule can't be looked at; "" if it can. */
    synchronized void problem(TriggerRule rule, String problem) {
        state(rule).problem = problem;
    }

    private RuleState state(TriggerRule rule) {
        return states.stream()
                .filter(each -> each.rule.equals(rule))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(rule.name()));
    }

    private String obstacle(RuleState state, Instant now) {
        if (isBusy || waiting != null) {
            return "a copy is observed already";
        }
        Instant last = state.last;
        if (last != null && now.isBefore(last.plus(state.rule.coolDown()))) {
            return "cool-down until " + last.plus(state.rule.coolDown());
        }
        boolean isToday = LocalDate.ofInstant(now, ZoneOffset.UTC).equals(state.day);
        return isToday && state.today >= state.rule.perDay() ? "fired " + state.today + " times today already" : "";
    }

    /** What is to be done; nothing else fires until {@link #done}. */
    public synchronized Optional<Firing> take() {
        Optional<Firing> taken = Optional.ofNullable(waiting);
        waiting = null;
        isBusy |= taken.isPresent();
        return taken;
    }

    /** The copy is gone. */
    public synchronized void done() {
        isBusy = false;
    }

    /** The rules, in the file's order. */
    public synchronized List<TriggerRule> rules() {
        return states.stream().map(state -> state.rule).toList();
    }

    /** How each rule fares, as a document. */
    public synchronized Map<String, Object> document() {
        List<Map<String, Object>> rules = new ArrayList<>();
        for (RuleState state : states) {
            Map<String, Object> rule = new LinkedHashMap<>();
            rule.put("name", state.rule.name());
            rule.put("kind", state.rule.condition().getClass().getSimpleName());
            rule.put("fired", state.fired);
            rule.put("suppressed", state.suppressed);
            rule.put("last", state.last == null ? "" : state.last.toString());
            rule.put("why", state.why);
            rule.put("problem", state.problem);
            rules.add(rule);
        }
        return Map.of("busy", isBusy, "rules", rules);
    }
}
