package dev.understudy.it.bench.clone;

/**
 * What one live clone cost, and what it came to.
 *
 * @param suspensionSeconds how long production stood still, as the session found
 * @param waitSeconds the longest time that a client waited for a reply, from the session's start until it was live
 * @param imageMebibytes the snapshot's size
 * @param liveSeconds from the start of the command until the copy got what clients send
 * @param comparedSeconds from the start of the command until the first exchange was compared
 * @param asked requests of clients in all
 * @param failed of those, how many failed
 * @param compared exchanges that were the same or equivalent
 * @param different exchanges that were different
 * @param notCompared exchanges that weren't compared
 */
record Cloned(
        double suspensionSeconds,
        double waitSeconds,
        long imageMebibytes,
        double liveSeconds,
        double comparedSeconds,
        long asked,
        long failed,
        long compared,
        long different,
        long notCompared) {}
