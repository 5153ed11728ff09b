package dev.understudy.aggregator.policy;

import dev.understudy.aggregator.exchange.Form;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the calls to one upstream are treated, by their forms. Immutable.
 *
 * @param usual for calls that no rule concerns
 * @param rules the first that fits counts
 * @param background calls that have no twin, before all else
 */
public record CallPolicy(MissPolicy usual, List<CallRule> rules, List<BackgroundRule> background) {
    /** How OpenTelemetry's and Zipkin's exporters send what they have: with another content each time. */
    public static final List<BackgroundRule> EXPORTERS = List.of(
            any("POST /v1/traces*"),
            any("POST /v1/metrics*"),
            any("POST /v1/logs*"),
            any("POST /api/v2/spans*"),
            any("POST /opentelemetry.proto.collector.*"));

    public CallPolicy {
        rules = List.copyOf(rules);
        background = List.copyOf(background);
    }

    /** The same treatment for all calls. */
    public static CallPolicy of(MissPolicy usual) {
        return new CallPolicy(usual, List.of(), List.of());
    }

    /** How a call is treated. */
    public MissPolicy of(Form call) {
        for (CallRule rule : rules) {
            if (rule.form().matches(call.text())) {
                return rule.treatment();
            }
        }
        return usual;
    }

    /** Which calls of the background get each other's last reply, if this is one of them; null if it isn't. */
    public @Nullable Form background(Form call) {
        for (BackgroundRule rule : background) {
            if (rule.form().matches(call.text())) {
                return rule.key(call);
            }
        }
        return null;
    }

    /** Whether some calls may get a reply again. */
    public boolean repeatsLast() {
        return provides(Miss.REPEAT_LAST);
    }

    /** Whether some calls may reach the real upstream. */
    public boolean isLive() {
        return provides(Miss.LIVE);
    }

    /** Whether some calls may reach a stand-in. */
    public boolean asksStandin() {
        return provides(Miss.STANDIN);
    }

    private boolean provides(Miss miss) {
        return usual.miss() == miss
                || rules.stream().anyMatch(rule -> rule.treatment().miss() == miss);
    }

    private static BackgroundRule any(String form) {
        return new BackgroundRule(FormPattern.of(form), true);
    }
}
