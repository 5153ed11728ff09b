package dev.understudy.relay.connect;

/**
 * How one address of production fares.
 *
 * @param set as it stands in the settings
 * @param address what {@code set} was looked up to, or {@code ""} while that isn't known
 * @param up whether clients are led there; those that are down are tried last
 * @param accepted clients that it accepted
 * @param failed clients' connects that it refused or let time out
 */
public record TargetStatus(String set, String address, boolean up, long accepted, long failed) {}
