package dev.understudy.sidecar.noise;

import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.divergence.noise.NoiseRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rules of the settings, and those that operators have added since, which hold for all debug JVMs. Any thread. */
final class AddedRules {
    /** That may be added. */
    static final int MOST = 100;

    private final List<NoiseRule> configured;
    private final List<NoiseRules> debugs;
    private final Map<String, NoiseRule> added = new LinkedHashMap<>();

    /** @param debugs the rules of each debug JVM; they hold {@code configured} already */
    AddedRules(List<NoiseRule> configured, List<NoiseRules> debugs) {
        this.configured = List.copyOf(configured);
        this.debugs = List.copyOf(debugs);
    }

    /**
     * Adds one, for all later exchanges.
     *
     * @throws IllegalArgumentException if it holds already, or there are {@value #MOST}
     */
    synchronized void add(NoiseRule rule) {
        if (all().contains(rule)) {
            throw new IllegalArgumentException("path: there is this rule for " + rule.path() + " already");
        }
        if (added.size() >= MOST) {
            throw new IllegalArgumentException(
                    "rules: " + MOST + " are added (expected: fewer; write some into comparison.noise-rules)");
        }
        added.put(id(rule), rule);
        publish();
    }

    /** Takes one back that was added; false if there is none. */
    synchronized boolean remove(String id) {
        boolean wasThere = added.remove(id) != null;
        if (wasThere) {
            publish();
        }
        return wasThere;
    }

    /** Those that were added, by their ids, oldest first. */
    synchronized Map<String, NoiseRule> added() {
        return new LinkedHashMap<>(added);
    }

    /** How many the settings have. */
    int configured() {
        return configured.size();
    }

    /** All that hold. */
    synchronized List<NoiseRule> all() {
        List<NoiseRule> all = new ArrayList<>(configured);
        all.addAll(added.values());
        return all;
    }

    /** In how many exchanges of all debug JVMs it overlooked something. */
    long fired(NoiseRule rule) {
        return debugs.stream().mapToLong(rules -> rules.fired(rule)).sum();
    }

    /** The same for the same rule, also in another process: nobody takes back what somebody else has added since. */
    private static String id(NoiseRule rule) {
        String text = rule.route() + '\n' + rule.path() + '\n' + rule.value();
        return HexFormat.of().formatHex(Sha256.of(text.getBytes(StandardCharsets.UTF_8)), 0, 4);
    }

    private void publish() {
        List<NoiseRule> all = all();
        debugs.forEach(rules -> rules.replace(all));
    }
}
