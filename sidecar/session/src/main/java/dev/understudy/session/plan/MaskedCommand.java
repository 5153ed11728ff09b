package dev.understudy.session.plan;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.log.Printable;
import java.util.ArrayList;
import java.util.List;

/** A command line for people: without secrets, without what commands a terminal, and not too long. */
final class MaskedCommand {
    private static final int MOST_WORDS = 40;
    private static final int MOST_WORD = 80;
    private static final int MOST_READ = 4096;

    private MaskedCommand() {}

    /** Its words. */
    static List<String> of(List<String> command) {
        List<String> shown = new ArrayList<>();
        String before = "";
        for (String word : command) {
            if (shown.size() == MOST_WORDS) {
                shown.add("… (" + (command.size() - MOST_WORDS) + " more)");
                break;
            }
            shown.add(word(before, word.substring(0, Math.min(word.length(), MOST_READ))));
            before = word.substring(0, Math.min(word.length(), MOST_READ));
        }
        return shown;
    }

    /** A text of the machine's, such as a path or a program's message. */
    static String text(String text) {
        return Printable.of(Masking.PLAIN.within(text.substring(0, Math.min(text.length(), MOST_READ))));
    }

    private static String word(String before, String word) {
        int equals = word.indexOf('=');
        String masked;
        if (before.startsWith("-") && before.indexOf('=') < 0 && Masking.PLAIN.isSecret(before)) {
            masked = Masking.MASK;
        } else if (equals > 0 && Masking.PLAIN.isSecret(word.substring(0, equals))) {
            masked = word.substring(0, equals + 1) + Masking.MASK;
        } else {
            masked = Masking.PLAIN.within(word);
        }
        String printable = Printable.of(masked);
        return printable.length() <= MOST_WORD ? printable : printable.substring(0, MOST_WORD - 1) + "…";
    }
}
