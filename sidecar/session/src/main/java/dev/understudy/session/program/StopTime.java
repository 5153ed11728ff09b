package dev.understudy.session.program;

/**
 * When production stood still for a snapshot, by {@link System#nanoTime()}, which all JVMs of a machine share.
 *
 * @param running when it was last seen running
 * @param answered some moment while it stood still, well behind its last replies
 */
public record StopTime(long running, long answered) {}
