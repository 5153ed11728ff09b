package dev.understudy.session.ledger;

import java.nio.file.Path;
import java.time.Instant;

/**
 * The first line of a ledger.
 *
 * @param session the session's id
 * @param target what is debugged, as it was named
 * @param copy what its copy begins with, in a word; "" if there is none
 * @param since when the session began
 * @param pid the session's own process
 * @param startTicks when that began
 * @param images the session's own directory for images
 */
record SessionHeader(
        String session, String target, String copy, Instant since, long pid, long startTicks, Path images) {}
