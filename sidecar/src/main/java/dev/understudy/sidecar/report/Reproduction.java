package dev.understudy.sidecar.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Commands that make a divergence happen again, as far as what is kept allows it. */
public final class Reproduction {
    private static final Pattern HTTP = Pattern.compile("([A-Z]+) (/[\\x21-\\x7e…]*)");
    private static final Pattern UNSAID = Pattern.compile("\\[masked]|…");

    private Reproduction() {}

    /** Lines for a shell; those that begin with # say what is missing. */
    static List<String> of(Session.Copy copy, Session.Example example) {
        return lines(
                copy.address(),
                copy.debugAddress(),
                copy.recording(),
                example.request(),
                example.exchange(),
                example.connection());
    }

    /**
     * Lines for a shell; those that begin with # say what is missing.
     *
     * @param address where clients reach production
     * @param debugAddress where the debug JVM is
     * @param recording the file that connections are recorded in; "" if none are
     */
    public static List<String> lines(
            String address, String debugAddress, String recording, String request, long exchange, long connection) {
        List<String> lines = new ArrayList<>();
        var http = HTTP.matcher(request);
        if (http.matches()) {
            if (UNSAID.matcher(http.group(2)).find()) {
                lines.add("# what is masked or cut off has to be filled in");
            }
            if (!http.group(1).equals("GET") && !http.group(1).equals("HEAD")) {
                lines.add(
                        "# production does this, too; its headers and body are left out, since they may hold secrets");
            }
            String method = http.group(1).equals("HEAD") ? "-I" : "-i -X " + http.group(1);
            lines.add("curl -g --path-as-is " + method + " " + quoted("http://" + reachable(address) + http.group(2)));
        } else {
            lines.add("# exchange " + exchange + " can't be repeated by a command: send the request again");
        }
        if (!recording.isEmpty()) {
            lines.add("# as recorded, if connection " + connection + " was; compares with the recorded replies");
            lines.add("understudy replay " + quoted(recording) + " --connection " + connection + " --to "
                    + quoted(debugAddress));
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
