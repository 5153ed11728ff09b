package dev.understudy.it.fidelity.http;

import java.util.regex.Pattern;

/** What a client may see that says nothing of the answer. */
final class HttpText {
    private static final Pattern DATE = Pattern.compile("(?im)^date: .*\\R");

    private HttpText() {}

    /** Without the time of day, and the port that the client itself had named. */
    static String steady(String said, int port) {
        return DATE.matcher(said).replaceAll("").replace("127.0.0.1:" + port, "127.0.0.1:PORT");
    }
}
