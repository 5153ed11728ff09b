package dev.understudy.aggregator.postgres.exchange;

/**
 * A setting with a value. As a fact: how a session set it, and what the server called that then; of
 * {@value #SUPERUSER}, whose rights a session had, and what the server called that.
 *
 * @param name as the server writes it
 */
public record SettingValue(String name, String value) {
    public static final String SUPERUSER = "is_superuser";
}
