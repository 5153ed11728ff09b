package dev.understudy.session.network;

import java.util.ArrayList;
import java.util.List;

/**
 * A rule of the packet filter.
 *
 * @param family whose addresses it has
 * @param table such as {@code nat}
 * @param words from {@code -A} or {@code -I} on; no word has a space
 */
record FilterRule(IpFamily family, String table, List<String> words) {
    FilterRule {
        words = List.copyOf(words);
    }

    /**
     * A rule with the comment of a session, by which it is known as the session's.
     *
     * @param action {@code -A} or {@code -I}
     * @param end what is done, from {@code -j} on
     */
    static FilterRule of(
            IpFamily family, String table, String session, String action, String chain, String match, String end) {
        List<String> words = new ArrayList<>(List.of(action, chain));
        words.addAll(split(match));
        words.addAll(List.of("-m", "comment", "--comment", "understudy:" + session));
        words.addAll(split(end));
        return new FilterRule(family, table, words);
    }

    private static List<String> split(String text) {
        return text.isBlank() ? List.of() : List.of(text.strip().split(" +", -1));
    }

    /** The line that sets it, for the program that restores tables. */
    String insertion() {
        return String.join(" ", words);
    }

    /** The line that deletes it. */
    String deletion() {
        return "-D " + String.join(" ", words.subList(1, words.size()));
    }
}
