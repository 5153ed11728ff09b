package dev.understudy.sidecar.suspect;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts what reached the ranking, to explain why nothing is observed, or why a rule of the operator's matched nothing.
 * Not for several threads.
 */
final class ObservationHints {
    /** So many exchanges have to end before a rule that matched none of them is mentioned. */
    static final int ENOUGH = 100;
    /** Different results of one rule's requests that are remembered. */
    static final int MOST_RESULTS = 8;

    private final List<LabelRule.Also> rules;
    private final int[] matched;
    private final int[] asked;
    private final List<Map<String, Integer>> results = new ArrayList<>();
    private int ended;
    private int reported;
    private int agents;

    /** @param rule whose single rules are watched */
    ObservationHints(LabelRule rule) {
        rules = rule.also();
        matched = new int[rules.size()];
        asked = new int[rules.size()];
        rules.forEach(any -> results.add(new LinkedHashMap<>()));
    }

    /** An exchange has ended, whether it was observed or not. */
    void ended(ExchangeOutcome outcome) {
        ended++;
        if (outcome.debugMillis() == null) {
            return;
        }
        for (int i = 0; i < matched.length; i++) {
            LabelRule.Also rule = rules.get(i);
            if (rule.holds(outcome)) {
                matched[i]++;
            } else if (matched[i] == 0 && rule.concerns(outcome)) {
                asked[i]++;
                Map<String, Integer> seen = results.get(i);
                // only statuses: what other protocols say may be a user's
                String result = outcome.status() > 0 ? Integer.toString(outcome.status()) : "another reply";
                if (seen.containsKey(result) || seen.size() < MOST_RESULTS) {
                    seen.merge(result, 1, Integer::sum);
                }
            }
        }
    }

    /** An agent has reported so many exchanges. */
    void reported(int exchanges, int agentsHeard) {
        reported += exchanges;
        agents = Math.max(agents, agentsHeard);
    }

    /**
     * What an operator could do, in sentences; empty if all is well.
     *
     * @param joined observed exchanges of which it is known how they ended
     */
    List<String> hints(int joined) {
        List<String> hints = new ArrayList<>();
        if (joined == 0) {
            hints.add(nothingObserved());
        }
        for (int i = 0; i < matched.length; i++) {
            if (matched[i] == 0 && ended >= ENOUGH) {
                hints.add("the rule \"" + rules.get(i) + "\" (suspects.also) matched none of " + ended + " exchanges; "
                        + (asked[i] == 0
                                ? "no request was such a one"
                                : asked[i] + " requests were such ones, with results " + results.get(i)));
            }
        }
        return hints;
    }

    private String nothingObserved() {
        if (ended == 0) {
            return "no exchange has ended in a debug JVM: either no client has sent a request to this sidecar, or its"
                    + " input is off (understudy status)";
        }
        if (agents == 0) {
            return ended + " exchanges have ended, but no agent has reported any: start the debug JVM with the agent,"
                    + " and with sidecar= this control port (understudy status lists agents)";
        }
        if (reported == 0) {
            return ended + " exchanges have ended, and agents report none: the server's entry is in none of the"
                    + " classes that the agent instruments (agent setting packages)";
        }
        return "agents have reported " + reported + " exchanges and " + ended + " have ended, but none of them is the"
                + " same: the agent may watch another JVM than the one that gets this sidecar's input";
    }
}
