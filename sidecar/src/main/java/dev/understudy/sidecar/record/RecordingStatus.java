package dev.understudy.sidecar.record;

import java.io.File;

/**
 * How a listener's recording fares.
 *
 * @param state on; stopping, while its last bytes are written; off
 * @param file the last one that was begun; "" if none was
 * @param sinceMillis when that was begun, epoch milliseconds; 0 if none was
 * @param bytes in the file
 * @param connections that were recorded, whole or in part
 * @param incomplete of those, how many have a hole, and end at it
 * @param lostBytes bytes that aren't in the file although they were said while it was on
 * @param unjoined connections that were open already and had no place at which to begin
 * @param ended why it ended, or "" if it didn't, or was stopped
 */
public record RecordingStatus(
        String state,
        String file,
        long sinceMillis,
        long bytes,
        long connections,
        long incomplete,
        long lostBytes,
        long unjoined,
        String ended) {
    static final RecordingStatus NEVER = new RecordingStatus("off", "", 0, 0, 0, 0, 0, 0, "");

    /** That of a recording whose process ended before it did. */
    static RecordingStatus cut(File file) {
        return new RecordingStatus("off", file.getPath(), 0, file.length(), 0, 0, 0, 0, "the lane process ended");
    }
}
