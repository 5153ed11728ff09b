package dev.understudy.session.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rule of the packet filter.
 *
 * @param family whose addresses it has
 * @param table such as {@code nat}
 * @param words from {@code -A} or {@code -I} on; no word has a space
 */
record FilterRule(IpFamily family, String table, List<String> words) {
    /** An address in digits: no name is looked up. */
    private static final Pattern DESTINATION = Pattern.compile(" -d ([0-9a-f.:]+)/\\d+ ");

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

    /** Whether a line that the packet filter lists matches what this rule does: chain, port, address and user. */
    boolean isLike(String line) {
        String padded = line + " ";
        int port = words.indexOf("--dport");
        int address = words.indexOf("-d");
        return padded.startsWith("-A " + words.get(1) + " ")
                && port > 0
                && padded.contains(" --dport " + words.get(port + 1) + " ")
                && padded.contains(" --uid-owner ") == words.contains("--uid-owner")
                && (address < 0 || isAt(padded, words.get(address + 1)));
    }

    /** Whether a listed rule has that address, or none. */
    private static boolean isAt(String line, String address) {
        Matcher listed = DESTINATION.matcher(line);
        try {
            return !listed.find() || InetAddress.getByName(listed.group(1)).equals(InetAddress.getByName(address));
        } catch (UnknownHostException damaged) {
            return false;
        }
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
