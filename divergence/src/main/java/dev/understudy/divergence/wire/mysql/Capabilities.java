package dev.understudy.divergence.wire.mysql;

/**
 * What two ends have agreed on: MySQL's 32 capability bits, and above them MariaDB's own 32
 * ({@code include/mysql_com.h}).
 */
public record Capabilities(long bits) {
    /** Set by MySQL, and by MariaDB towards MySQL's clients; a MariaDB server leaves it out to announce its own 32. */
    public static final long LONG_PASSWORD = 1;

    public static final long FOUND_ROWS = 1 << 1;
    public static final long CONNECT_WITH_DB = 1 << 3;
    public static final long COMPRESS = 1 << 5;
    public static final long LOCAL_FILES = 1 << 7;
    public static final long IGNORE_SPACE = 1 << 8;
    public static final long PROTOCOL_41 = 1 << 9;
    public static final long SSL = 1 << 11;
    public static final long SECURE_CONNECTION = 1 << 15;
    public static final long MULTI_STATEMENTS = 1 << 16;
    public static final long PLUGIN_AUTH = 1 << 19;
    public static final long CONNECT_ATTRS = 1 << 20;
    public static final long PLUGIN_AUTH_LENENC = 1 << 21;
    public static final long SESSION_TRACK = 1 << 23;
    public static final long DEPRECATE_EOF = 1 << 24;
    public static final long OPTIONAL_METADATA = 1 << 25;
    public static final long ZSTD_COMPRESSION = 1 << 26;
    public static final long QUERY_ATTRIBUTES = 1 << 27;
    public static final long MULTI_FACTOR = 1 << 28;

    /** Column definitions carry the names of extended types. */
    public static final long MARIADB_EXTENDED_METADATA = 1L << 35;

    /** The columns of a prepared statement's result are left out when they are known. */
    public static final long MARIADB_CACHE_METADATA = 1L << 36;

    public static final long MARIADB_BULK_UNIT_RESULTS = 1L << 37;

    /** Whether all of these are agreed on. */
    public boolean has(long these) {
        return (bits & these) == these;
    }

    /** Whether any of these is. */
    public boolean hasAny(long these) {
        return (bits & these) != 0;
    }

    public Capabilities without(long these) {
        return new Capabilities(bits & ~these);
    }

    public Capabilities and(Capabilities other) {
        return new Capabilities(bits & other.bits);
    }
}
