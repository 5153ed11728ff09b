package dev.understudy.it.localisation;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client of some protocol. */
interface Asker {
    /**
     * Asks once.
     *
     * @return the last reply's status, or how it begins; 0 if there was none in time
     */
    String ask(Ask ask, Random random) throws IOException, InterruptedException;

    /** A client of that protocol for a port of loopback. */
    static Asker of(String protocol, int port) {
        return protocol.equals("redis") ? new RedisAsker(port) : new HttpAsker(port);
    }

    /** A text with numbers and repetitions in the place of what stands for them. */
    static String filled(String text, Random random) {
        Matcher numbers = Pattern.compile("\\{(\\d+)\\.\\.(\\d+)}").matcher(text);
        String numbered = numbers.replaceAll(found -> {
            int least = Integer.parseInt(found.group(1));
            return Integer.toString(least + random.nextInt(Integer.parseInt(found.group(2)) - least + 1));
        });
        return Pattern.compile("\\{([^{}]*)\\*(\\d+)}")
                .matcher(numbered)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1).repeat(Integer.parseInt(found.group(2)))));
    }

    /** The texts filled. */
    static List<String> filled(List<String> texts, Random random) {
        return texts.stream().map(text -> filled(text, random)).toList();
    }
}
