package dev.understudy.it.localisation;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Tool;
import java.nio.file.Path;

/**
 * Whether a bug's folder does what it says: the buggy version shows the symptom for what may set it off and for nothing
 * else, and the fixed one, asked the same, never does.
 *
 * @param buggy what the version with the bug showed
 * @param fixed what the one without it showed
 */
public record Proof(Bug bug, Shown buggy, Shown fixed) {
    /**
     * Runs both versions, one after the other, without the product.
     *
     * @param target keeps what is downloaded
     * @param folder for the programs' files
     * @param requests how many each is asked
     * @param rate how many of these in a second
     */
    public static Proof of(Bug bug, Path target, Path folder, int requests, int rate) throws Exception {
        Shown buggy = shown(bug, Jars.buggy(bug, target), folder.resolve("buggy"), requests, rate);
        Shown fixed = shown(bug, Jars.fixed(bug, target), folder.resolve("fixed"), requests, rate);
        return new Proof(bug, buggy, fixed);
    }

    private static Shown shown(Bug bug, String classPath, Path home, int requests, int rate) throws Exception {
        int port = FreePorts.next();
        try (Tool server = Trial.server(bug, home, classPath, port);
                Traffic traffic = new Traffic(bug, port, rate)) {
            server.awaitPort(port);
            traffic.prepare();
            traffic.ask(requests);
            return new Shown(traffic.symptoms(), traffic.triggers(), traffic.others());
        }
    }

    /** Whether both versions are as the folder says. What shows in memory alone is shown by no reply. */
    public boolean holds() {
        return fixed.symptoms == 0 && (buggy.symptoms > 0 || bug.grows()) && buggy.others == 0 && fixed.others == 0;
    }

    /** One line for whoever runs it. */
    @Override
    public String toString() {
        return bug.id() + ": " + (holds() ? "holds" : "DOES NOT HOLD") + "; "
                + bug.buggy().get(0) + " showed it "
                + buggy + ", " + bug.fixed().get(0) + " " + fixed
                + (bug.grows() ? " (shows in memory alone, which isn't looked at here)" : "");
    }

    /**
     * What came of one version.
     *
     * @param symptoms how often a reply showed it
     * @param triggers how often it was asked for what may set it off
     * @param others how often a reply showed it to somebody who asked for something else
     */
    public record Shown(int symptoms, int triggers, int others) {
        @Override
        public String toString() {
            return symptoms + " times for " + triggers + " triggers"
                    + (others == 0 ? "" : " and " + others + " times for what is none");
        }
    }
}
