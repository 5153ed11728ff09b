package dev.understudy.aggregator.replay;

/** A form's text without what differs from call to call: numbers, ids, quoted texts. */
final class FormShape {
    /** Beyond it a word is an id, even of letters only. */
    private static final int LONGEST_WORD = 32;

    /** Names such as {@code v1} or {@code db2} stay. */
    private static final int SHORT = 3;

    private FormShape() {}

    static String of(String form) {
        StringBuilder shape = new StringBuilder(form.length());
        for (int i = 0; i < form.length(); ) {
            char c = form.charAt(i);
            int quoted = c == '\'' || c == '"' ? form.indexOf(c, i + 1) : -1;
            if (quoted > i + 1) {
                shape.append(c).append('…').append(c);
                i = quoted + 1;
            } else if (isWord(c)) {
                int end = i + 1;
                while (end < form.length() && isWord(form.charAt(end))) {
                    end++;
                }
                shape.append(word(form.substring(i, end)));
                i = end;
            } else {
                shape.append(c);
                i++;
            }
        }
        return shape.toString();
    }

    private static String word(String word) {
        int digits = (int) word.chars().filter(FormShape::isDigit).count();
        if (digits == word.length()) {
            return "N";
        }
        if (digits == 0 || word.length() <= SHORT) {
            return word.length() > LONGEST_WORD ? "…" : word;
        }
        int letters = word.length() - digits;
        boolean name = word.chars().limit(letters).noneMatch(FormShape::isDigit)
                && !word.chars().limit(letters).allMatch(c -> Character.digit(c, 16) >= 0);
        return name ? word.substring(0, letters) + "N" : "…";
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }
}
