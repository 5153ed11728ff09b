package dev.understudy.aggregator.config;

import dev.understudy.aggregator.policy.BackgroundRule;
import dev.understudy.aggregator.policy.CallPolicy;
import dev.understudy.aggregator.policy.CallRule;
import dev.understudy.aggregator.policy.FormPattern;
import dev.understudy.aggregator.policy.Miss;
import dev.understudy.aggregator.policy.MissPolicy;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import java.time.Duration;
import java.util.List;

/** Reads {@code wait}, {@code miss}, {@code calls} and {@code background} of an upstream. */
final class CallPolicySection {
    private static final Value<FormPattern> FORM = new Value<>(
            "a pattern such as GET /price*, or /^(GET|HEAD) / as a regular expression",
            FormPattern::of,
            FormPattern.of("*"));
    private static final Value<Boolean> SWITCH = Value.flag();

    private final boolean http;

    /** @param http whether the upstream is one: exporters are known there, and stubs */
    CallPolicySection(boolean http) {
        this.http = http;
    }

    CallPolicy read(Section upstream, Miss miss) {
        MissPolicy usual = new MissPolicy(upstream.optional("wait", Value.duration(), Duration.ofSeconds(5)), miss);
        List<CallRule> rules = upstream.sections("calls").stream()
                .map(rule -> new CallRule(rule.required("form", FORM), treatment(rule, usual)))
                .toList();
        List<BackgroundRule> background = upstream.sections("background").stream()
                .map(rule -> new BackgroundRule(rule.required("form", FORM), rule.optional("any", SWITCH, false)))
                .toList();
        boolean exporters = http && !upstream.has("background");
        return new CallPolicy(usual, rules, exporters ? CallPolicy.EXPORTERS : background);
    }

    private static MissPolicy treatment(Section rule, MissPolicy usual) {
        Miss miss = rule.optional("miss", Value.choice(Miss.class), usual.miss());
        if (miss == Miss.STUB && usual.miss() != Miss.STUB) {
            rule.problem("miss: stub (expected: another one, unless the upstream's is stub and names the stubs)");
        }
        return new MissPolicy(rule.optional("wait", Value.duration(), usual.patience()), miss);
    }
}
