package dev.understudy.divergence.mask;

/**
 * Finds numbers of payment cards: 13 to 19 digits, in groups or not, that begin as an issuer's do and have the right
 * check digit (ISO/IEC 7812). Of other numbers of that length some one in ten looks like one. Stateless.
 */
final class CardNumbers {
    private static final int LEAST = 13;
    private static final int MOST = 19;

    private CardNumbers() {}

    /** Adds where they stand in a text. */
    static void find(String text, SecretSpans spans) {
        for (int at = 0; at < text.length(); ) {
            if (!isDigit(text.charAt(at))) {
                at++;
                continue;
            }
            int end = endOfNumber(text, at);
            boolean alone =
                    (at == 0 || !joins(text.charAt(at - 1))) && (end == text.length() || !joins(text.charAt(end)));
            if (alone && isCard(text, at, end)) {
                spans.add(at, end);
            }
            at = end;
        }
    }

    /** Digits with at most one space or hyphen between two of them. */
    private static int endOfNumber(String text, int from) {
        int end = from;
        while (end < text.length()) {
            char c = text.charAt(end);
            boolean separates = (c == ' ' || c == '-') && end + 1 < text.length() && isDigit(text.charAt(end + 1));
            if (!isDigit(c) && !separates) {
                break;
            }
            end++;
        }
        return end;
    }

    private static boolean isCard(String text, int from, int end) {
        StringBuilder digits = new StringBuilder(MOST);
        for (int at = from; at < end; at++) {
            if (isDigit(text.charAt(at))) {
                digits.append(text.charAt(at));
            }
            if (digits.length() > MOST) {
                return false;
            }
        }
        return digits.length() >= LEAST && isIssued(digits) && hasCheckDigit(digits);
    }

    private static boolean isIssued(CharSequence digits) {
        int two = number(digits, 2);
        int four = number(digits, 4);
        return switch (digits.length()) {
            case 14 -> two == 36 || two == 38 || isBetween(four / 10, 300, 305);
            case 15 -> two == 34 || two == 37;
            case 16 -> two / 10 == 4 || isBetween(two, 51, 55) || isBetween(four, 2221, 2720) || isOther(two, four);
            default -> two / 10 == 4 || isOther(two, four);
        };
    }

    private static boolean isOther(int two, int four) {
        return four == 6011 || two == 65 || isBetween(four, 6440, 6499) || two == 35 || two == 62;
    }

    private static boolean isBetween(int number, int least, int most) {
        return number >= least && number <= most;
    }

    private static int number(CharSequence digits, int length) {
        return Integer.parseInt(digits, 0, length, 10);
    }

    private static boolean hasCheckDigit(CharSequence digits) {
        int sum = 0;
        for (int n = 0; n < digits.length(); n++) {
            int digit = digits.charAt(digits.length() - 1 - n) - '0';
            int doubled = n % 2 == 0 ? digit : digit * 2;
            sum += doubled > 9 ? doubled - 9 : doubled;
        }
        return sum % 10 == 0;
    }

    private static boolean joins(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '.' || c == '-';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
