package dev.understudy.session.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether there is room where programs keep files, and whether they may write there; nothing is written. */
final class SpaceHealth {
    private SpaceHealth() {}

    /**
     * Looks at a folder, or at the nearest above it that is there.
     *
     * @param least the bytes that have to be free
     * @param use what needs it, with what to do without
     */
    static HealthFinding of(String name, Path folder, long least, String use) throws IOException {
        Path there = folder.toAbsolutePath();
        while (!Files.isDirectory(there) && there.getParent() != null) {
            there = there.getParent();
        }
        if (!Files.isWritable(there)) {
            return HealthFinding.warn(name, there + " can't be written by this user", use);
        }
        long free = Files.getFileStore(there).getUsableSpace();
        String room = (free >> 20) + " MiB free in " + there;
        return free >= least
                ? HealthFinding.ok(name, room)
                : HealthFinding.warn(name, room + " (expected: " + (least >> 20) + " MiB or more)", use);
    }
}
