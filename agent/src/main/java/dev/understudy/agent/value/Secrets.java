package dev.understudy.agent.value;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What isn't shown of values: those with a name such as password or token, or with a chosen name, and what looks like
 * credentials. The sidecar masks alike. For any threads.
 */
public final class Secrets {
    /** What is shown in the place of a secret; the sidecar shows the same. */
    public static final String MASK = "[masked]";

    private static final Pattern NAME =
            Pattern.compile("passw|passphrase|pwd|secret|token|credential|api-?key|private-?key"
                    + "|access-?key|authorization|cookie|session"
                    + "|csrf|xsrf|otp|cvv|cvc|pin$|ssn|iban|card-?number|signature");
    private static final Pattern NAMED = Pattern.compile("([\\p{L}\\p{N}_.%\\[\\]-]{1,64})(?:\\\\*[\"'])?\\s*[=:]\\s*");
    private static final Pattern CREDENTIALS = Pattern.compile("\\b(Bearer|Basic|Digest)\\s+[A-Za-z0-9._~+/=-]{4,}");

    private Set<String> own;
    private Set<String> ordered = Set.of();
    private volatile SecretFieldNames chosen;

    /** @param own names of values that are never shown, besides those of credentials, by the agent's own settings */
    public Secrets(Collection<String> own) {
        this.own = Set.copyOf(own);
        this.chosen = new SecretFieldNames(this.own);
    }

    /** From now on these are the names by the agent's own settings. */
    public synchronized void own(Collection<String> names) {
        own = Set.copyOf(names);
        chosen = both();
    }

    /** From now on values of these names aren't shown either, in the place of those that were chosen so before. */
    public synchronized void choose(Collection<String> names) {
        ordered = Set.copyOf(names);
        chosen = both();
    }

    private SecretFieldNames both() {
        Set<String> all = new HashSet<>(own);
        all.addAll(ordered);
        return new SecretFieldNames(all);
    }

    /** Whether a field, variable, key or method of that name was chosen, whatever it holds. */
    public boolean isChosen(String name) {
        return chosen.isIn(name);
    }

    /** Whether a field, variable or key of that name holds a secret. */
    public boolean isSecret(String name) {
        if (isChosen(name)) {
            return true;
        }
        StringBuilder words = new StringBuilder(name.length() + 4);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c) && i > 0 && Character.isLowerCase(name.charAt(i - 1))) {
                words.append('-');
            }
            words.append(c == '_' ? '-' : Character.toLowerCase(c));
        }
        return NAME.matcher(words).find();
    }

    /** A text with everything masked that looks like the assignment of a secret, or like credentials. */
    public String within(String text) {
        String plain = CREDENTIALS.matcher(text).replaceAll("$1 " + Matcher.quoteReplacement(MASK));
        StringBuilder shown = new StringBuilder(plain.length());
        int copied = 0;
        Matcher named = NAMED.matcher(plain);
        for (int from = 0; from < plain.length() && named.find(from); ) {
            from = named.end();
            if (isSecret(named.group(1))) {
                int end = SecretAssignment.end(plain, from);
                if (end > from) {
                    shown.append(plain, copied, from).append(MASK);
                    copied = end;
                    from = end;
                }
            }
        }
        return copied == 0 ? plain : shown.append(plain, copied, plain.length()).toString();
    }
}
