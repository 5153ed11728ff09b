package dev.understudy.session.debug;

import dev.understudy.session.clone.CloneDriver;
import dev.understudy.session.ledger.FileLedger;
import java.io.PrintWriter;
import java.util.concurrent.CountDownLatch;

/**
 * What every session works with.
 *
 * @param driver what makes the copy
 * @param progress where its steps are printed
 * @param stopped ends the session when it is counted down
 * @param hurried has its end not wait for production's connections
 */
public record SessionScene(
        CloneDriver driver,
        DebugSettings settings,
        FileLedger ledger,
        SessionProgress progress,
        CountDownLatch stopped,
        CountDownLatch hurried) {
    /** For one more copy of a session. */
    SessionScene again() {
        return new SessionScene(driver, settings, ledger, progress.again(), stopped, hurried);
    }

    /** The same, that prints.
     *
     * @param isTerminal whether the live line may overwrite itself
     */
    public static SessionScene of(
            CloneDriver driver,
            DebugSettings settings,
            FileLedger ledger,
            PrintWriter out,
            boolean isTerminal,
            CountDownLatch stopped,
            CountDownLatch hurried) {
        return new SessionScene(driver, settings, ledger, new SessionProgress(out, isTerminal), stopped, hurried);
    }
}
