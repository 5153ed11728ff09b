package dev.understudy.aggregator.postgres.exchange;

/**
 * A setting with a value. As a fact: how a session set it, and what the server called that then.
 *
 * @param name as the server writes it
 */
public record SettingValue(String name, String value) {}
