package dev.understudy.agent.value;

import java.util.HashSet;
import java.util.Set;

/**
 * Names of fields that somebody chose, found in whatever way they are written: {@code homeAddress} is in
 * {@code home_address}, {@code HOMEADDRESS} and {@code oldHomeAddress2}, but {@code age} isn't in {@code page}.
 * Immutable.
 */
final class SecretFieldNames {
    private final Set<String> names = new HashSet<>();
    private final int longest;

    SecretFieldNames(Set<String> names) {
        int most = 0;
        for (String name : names) {
            String plain = plain(name);
            if (!plain.isEmpty()) {
                this.names.add(plain);
                most = Math.max(most, plain.length());
            }
        }
        this.longest = most;
    }

    private static String plain(String name) {
        StringBuilder plain = new StringBuilder(name.length());
        for (int i = 0; i < name.length(); i++) {
            if (Character.isLetterOrDigit(name.charAt(i))) {
                plain.append(Character.toLowerCase(name.charAt(i)));
            }
        }
        return plain.toString();
    }

    /** Whether one of them stands in {@code text} as a word, or as several words one after the other. */
    boolean isIn(String text) {
        return endIn(text) >= 0;
    }

    /** Where the first of them ends in {@code text}; -1 if there is none. */
    int endIn(String text) {
        for (int i = 0; !names.isEmpty() && i < text.length(); i++) {
            if (beginsWord(text, i)) {
                int end = endOfOneAt(text, i);
                if (end >= 0) {
                    return end;
                }
            }
        }
        return -1;
    }

    private int endOfOneAt(String text, int begin) {
        StringBuilder plain = new StringBuilder(longest);
        for (int i = begin; i < text.length() && plain.length() < longest; i++) {
            char c = text.charAt(i);
            if (Character.isLetterOrDigit(c)) {
                plain.append(Character.toLowerCase(c));
                if ((i + 1 == text.length()
                                || !Character.isLetterOrDigit(text.charAt(i + 1))
                                || beginsWord(text, i + 1))
                        && names.contains(plain.toString())) {
                    return i + 1;
                }
            } else if (separates(c, text, i)) {
                return -1;
            }
        }
        return -1;
    }

    /** Words of one name have at most one such character between them. */
    private static boolean separates(char c, String text, int at) {
        return (c != '-' && c != '_' && c != ' ' && c != '.')
                || at + 1 == text.length()
                || !Character.isLetterOrDigit(text.charAt(at + 1));
    }

    private static boolean beginsWord(String text, int at) {
        char c = text.charAt(at);
        if (!Character.isLetterOrDigit(c)) {
            return false;
        }
        if (at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1))) {
            return true;
        }
        char before = text.charAt(at - 1);
        if (Character.isDigit(c) != Character.isDigit(before)) {
            return true;
        }
        boolean acronymEnds = at + 1 < text.length() && Character.isLowerCase(text.charAt(at + 1));
        return Character.isUpperCase(c) && (Character.isLowerCase(before) || acronymEnds);
    }
}
