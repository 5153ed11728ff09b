package dev.understudy.session.doctor;

import java.io.IOException;

/**
 * One look at the machine, on a thread of its own. It changes nothing. It may take too long: then it is interrupted and
 * left alone.
 *
 * @param name of what it looks at, in a word
 * @param look looks
 */
record HealthCheck(String name, Look look) {
    /** How to look. */
    interface Look {
        /**
         * Looks.
         *
         * @throws IOException if something of the machine can't be read or run
         */
        HealthFinding at(String name) throws IOException, InterruptedException;
    }

    /** The look's finding; a warning if it fails, since nothing is known then. */
    HealthFinding finding() {
        try {
            return look.at(name);
        } catch (IOException | RuntimeException failed) {
            return HealthFinding.warn(name, "can't be looked at: " + failed.getMessage(), "look at it by hand");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return HealthFinding.warn(name, "interrupted", "look at it by hand");
        }
    }
}
