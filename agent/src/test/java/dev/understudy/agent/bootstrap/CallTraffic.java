package dev.understudy.agent.bootstrap;

import java.util.Set;

/** Writes to debug ports, for tests of other packages. */
public final class CallTraffic {
    private CallTraffic() {}

    /** A thread goes to write to a socket of its own. */
    public static void write(int localPort, int port) {
        Sockets.writing(new Object(), port, localPort);
    }

    /** Whether such are noted. */
    public static boolean isNoted(int port) {
        return CallNotes.areKept(port);
    }

    /** A note was to be made, and something failed. */
    public static void miss() {
        CallNotes.missed = true;
    }

    /** As before all. */
    public static void reset() {
        CallNotes.keep(Set.of());
        CallNotes.take();
        CallNotes.takeMissed();
    }
}
