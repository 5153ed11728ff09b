package dev.understudy.divergence.mask;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What may be said of a secret without showing it: how long it is, from {@value #SHORTEST} characters on, and which
 * form it has. Of a shorter one, a password say, its length would help to guess it.
 */
record SecretOutline(int length, Form form) {
    private static final int SHORTEST = 16;
    /** Longer ones aren't looked at. */
    private static final int LONGEST = 8192;

    private static final Pattern OUTLINE = Pattern.compile("\\[masked \\d{1,5} chars, (?:other )?[a-z ]{3,12}\\]");

    /** How a value looks. The first that fits counts. */
    private enum Form {
        UUID("uuid", "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"),
        SIGNED_TOKEN("signed token", "eyJ[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*\\.[A-Za-z0-9_-]*"),
        DIGITS("digits", "[0-9]+"),
        HEX("hex", "[0-9a-f]+|[0-9A-F]+"),
        TOKEN("token", "[A-Za-z0-9_+/=.~-]+"),
        TEXT("text", "(?s).*");

        private final String words;
        private final Pattern looks;

        Form(String words, String looks) {
            this.words = words;
            this.looks = Pattern.compile(looks);
        }
    }

    /** Whether it is such an outline already, or nothing. */
    static boolean isOne(@Nullable String shown) {
        return shown == null || OUTLINE.matcher(shown).matches();
    }

    /** @param shown as a difference shows it, maybe in quotes */
    static SecretOutline of(String shown) {
        boolean quoted = shown.length() > 1 && shown.startsWith("\"") && shown.endsWith("\"");
        String value = quoted ? shown.substring(1, shown.length() - 1) : shown;
        Form form = Form.TEXT;
        for (Form one : Form.values()) {
            if (value.length() <= LONGEST && one.looks.matcher(value).matches()) {
                form = one;
                break;
            }
        }
        return new SecretOutline(value.length(), form);
    }

    /** Beside nothing, or what has another outline. */
    String alone() {
        return shown("");
    }

    /** Beside another value of this outline. */
    String other() {
        return shown("other ");
    }

    private String shown(String which) {
        return length < SHORTEST
                ? "[masked" + (which.isEmpty() ? "]" : ", another]")
                : "[masked " + length + " chars, " + which + form.words + "]";
    }
}
