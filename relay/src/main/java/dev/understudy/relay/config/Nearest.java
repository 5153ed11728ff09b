package dev.understudy.relay.config;

import java.util.Collection;

/** Suggests the known word that a mistyped one probably meant. */
final class Nearest {
    private Nearest() {}

    /** Returns {@code "; did you mean x?"}, or nothing when no known word is near. */
    static String hint(String word, Collection<String> known) {
        String best = "";
        int bestDistance = Math.max(2, word.length() / 3) + 1;
        for (String candidate : known) {
            int distance = distance(word, candidate);
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best.isEmpty() ? "" : "; did you mean " + best + "?";
    }

    /** Levenshtein's edit distance, one row at a time. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int column = 0; column < row.length; column++) {
            row[column] = column;
        }
        for (int line = 1; line <= from.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column < row.length; column++) {
                int substitute = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(substitute, Math.min(row[column], row[column - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
