package dev.understudy.example.demo.report;

import dev.understudy.example.demo.stage.Settings;
import java.util.ArrayList;
import java.util.List;

/**
 * What the debug JVM has shown of the defect in the service.
 *
 * @param failing requests that failed by the operator's rule
 * @param suspects what goes with them, the most suspicious first; the methods that go with a suspect stand behind it
 * @param guilty which of these is in the class that has the defect, from 1 on; 0 if none is
 * @param logged what a log point there has said of one more request; "" if nothing
 */
public record Defect(long failing, List<String> suspects, int guilty, String logged) {
    private static final int NAMED_FIRST = 3;
    private static final int SHOWN = 5;

    /** Whether the guilty class is among the first, and its wrong value was seen. */
    public boolean isFound() {
        return guilty >= 1 && guilty <= NAMED_FIRST && !logged.isEmpty();
    }

    /** For a person, each part with the command that shows it; {@code sidecar} is the control port's address. */
    public List<String> lines(String sidecar) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("The defect: orders cost some cents less than their quotes promise");
        lines.add("  %d requests failed by the operator's rule \"%s\"".formatted(failing, Settings.RULE));
        lines.add("    ./understudy status --url " + sidecar);
        lines.add("  the methods that go with them, the most suspicious first");
        for (int n = 0; n < Math.min(SHOWN, suspects.size()); n++) {
            lines.add("   %s%d  %s".formatted(n + 1 == guilty ? ">" : " ", n + 1, suspects.get(n)));
        }
        lines.add("    ./understudy suspects --url " + sidecar);
        lines.add("  a log point in " + Investigation.GUILTY + ", and one more order");
        lines.add("      " + (logged.isEmpty() ? "(nothing was logged)" : logged));
        lines.add("    ./understudy log show --url " + sidecar);
        lines.add(
                isFound()
                        ? "  found: it rounds the price of one piece and multiplies then (examples/orders/README.md)"
                        : "  NOT found"
                                + (failing < Investigation.ENOUGH
                                        ? ": at least " + Investigation.ENOUGH
                                                + " requests have to fail, send more (--requests)"
                                        : ""));
        return List.copyOf(lines);
    }
}
