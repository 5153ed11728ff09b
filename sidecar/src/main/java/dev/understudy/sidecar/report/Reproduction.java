package dev.understudy.sidecar.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Commands that make a divergence happen again, as far as what is kept allows it. */
final class Reproduction {
    private static final Pattern HTTP = Pattern.compile("([A-Z]+) (/[\\x21-\\x7e…]*)");
    private static final Pattern UNSAID = Pattern.compile("\\[masked]|…");

    private Reproduction() {}

    /** Lines for a shell; those that begin with # say what is missing. */
    static List<String> of(Session.Copy copy, Session.Example example) {
        List<String> lines = new ArrayList<>();
        var http = HTTP.matcher(example.request());
        if (http.matches()) {
            if (UNSAID.matcher(http.group(2)).find()) {
                lines.add("# what is masked or cut off has to be filled in");
            }
            if (!http.group(1).equals("GET") && !http.group(1).equals("HEAD")) {
                lines.add("# production does this, too; the body isn't kept");
            }
            String method = http.group(1).equals("HEAD") ? "-I" : "-i -X " + http.group(1);
            lines.add("curl -g --path-as-is " + method + " "
                    + quoted("http://" + reachable(copy.address()) + http.group(2)));
        } else {
            lines.add("# exchange " + example.exchange() + " can't be repeated by a command: send the request again");
        }
        if (!copy.recording().isEmpty()) {
            lines.add("# as recorded, if connection " + example.connection()
                    + " was; compares with the recorded replies");
            lines.add("understudy replay " + quoted(copy.recording()) + " --connection " + example.connection()
                    + " --to " + quoted(copy.debugAddress()));
        }
        return lines;
    }

    private static String reachable(String address) {
        return address.replaceFirst("^(0\\.0\\.0\\.0|\\[(0:){7}0]|\\[::])", "127.0.0.1");
    }

    /** As one word of a POSIX shell. */
    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
